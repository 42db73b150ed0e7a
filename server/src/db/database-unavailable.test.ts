import { expect, it } from 'vitest'
import { DatabaseUnavailable, isDatabaseUnavailable, isUnavailableState } from './database-unavailable.ts'

it('is not assumed of other connections, such as that of a client that disconnects during an upload', () => {
  const left = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  expect(isDatabaseUnavailable(left)).toBe(false)
  expect(isDatabaseUnavailable(new DatabaseUnavailable(left))).toBe(true)
})

it.each(['08006', '25006', '25P03', '40001', '40P01', '53200', '53300', '57014', '57P01', '57P02', '57P03'])(
  'includes SQLSTATE %s',
  (state) => expect(isUnavailableState(state)).toBe(true),
)

it.each(['23505', '23503', '42P01', '53100', '55P03', '22P05', undefined])(
  'does not include SQLSTATE %s',
  (state) => expect(isUnavailableState(state)).toBe(false),
)
