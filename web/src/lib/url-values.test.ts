import { describe, expect, it } from 'vitest'
import { parseDay, parseOneOf, parsePositiveInt } from './url-values.ts'

describe('URL values', () => {
  it.each([
    [null, null],
    ['', null],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['1e99', null],
    ['two', null],
    ['7', 7],
  ])('reads %j as the number %j', (text, number) => {
    expect(parsePositiveInt(text)).toBe(number)
  })

  it.each([
    [null, null],
    ['2026-11', null],
    ['2026-13-01', null],
    ['2026-11-21T09:00', null],
    ['2026-11-21', '2026-11-21'],
  ])('reads %j as the day %j', (text, day) => {
    expect(parseDay(text)).toBe(day)
  })

  it('accepts only known values', () => {
    expect(parseOneOf(['asc', 'desc'], 'desc')).toBe('desc')
    expect(parseOneOf(['asc', 'desc'], 'DESC')).toBeNull()
    expect(parseOneOf(['asc', 'desc'], null)).toBeNull()
  })
})
