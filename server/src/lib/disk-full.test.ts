import { describe, expect, it } from 'vitest'
import { isDiskFull } from './disk-full.ts'

describe('isDiskFull', () => {
  it.each([
    ['a file system', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
    ['a disk quota', Object.assign(new Error('quota exceeded'), { code: 'EDQUOT' })],
    ['SQLite', Object.assign(new Error('database or disk is full'), { errcode: 13 })],
    ['the shared memory of SQLite', Object.assign(new Error('disk I/O error'), { errcode: 4874 })],
    ['PostgreSQL', Object.assign(new Error('could not extend file'), { code: '53100' })],
    ['a worker thread', structuredClone(new Error('database or disk is full'))],
    ['a wrapped error', new Error('cannot', { cause: Object.assign(new Error(''), { code: 'ENOSPC' }) })],
  ])('recognizes the error of %s', (_, error) => {
    expect(isDiskFull(error)).toBe(true)
  })

  it('does not take other errors for it', () => {
    expect(isDiskFull(Object.assign(new Error('disk I/O error'), { errcode: 778 }))).toBe(false)
    expect(isDiskFull(new Error('no such table: disk'))).toBe(false)
    expect(isDiskFull('ENOSPC')).toBe(false)
    expect(isDiskFull(undefined)).toBe(false)
  })
})
