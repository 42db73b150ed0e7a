import { describe, expect, it } from 'vitest'
import { dayOf, oneOf, positiveOf } from './address-values.ts'

describe('values of an address', () => {
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
    expect(positiveOf(text)).toBe(number)
  })

  it.each([
    [null, null],
    ['2026-11', null],
    ['2026-13-01', null],
    ['2026-11-21T09:00', null],
    ['2026-11-21', '2026-11-21'],
  ])('reads %j as the day %j', (text, day) => {
    expect(dayOf(text)).toBe(day)
  })

  it('takes one of what is known', () => {
    expect(oneOf(['asc', 'desc'], 'desc')).toBe('desc')
    expect(oneOf(['asc', 'desc'], 'DESC')).toBeNull()
    expect(oneOf(['asc', 'desc'], null)).toBeNull()
  })
})
