import { expect, it } from 'vitest'
import { dateTime } from './date-time.ts'

it('writes a moment with its date and time', () => {
  expect(dateTime('2026-11-21T09:05:00.000Z', 'en-GB', 'UTC')).toBe('21 Nov 2026, 09:05')
  expect(dateTime('2026-11-21T23:05:00.000Z', 'en-GB', 'Asia/Tokyo')).toBe('22 Nov 2026, 08:05')
})
