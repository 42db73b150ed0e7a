import { expect, it } from 'vitest'
import { formatDateTime, formatExactDateTime, formatShortDateTime } from './date-time.ts'

it('formats date and time', () => {
  expect(formatDateTime('2026-11-21T09:05:00.000Z', 'en-GB', 'UTC')).toBe('21 Nov 2026, 09:05')
  expect(formatExactDateTime('2026-11-21T09:05:07.000Z', 'en-GB', 'UTC')).toBe('21 Nov 2026, 09:05:07')
  expect(formatDateTime('2026-11-21T23:05:00.000Z', 'en-GB', 'Asia/Tokyo')).toBe('22 Nov 2026, 08:05')
})

it('leaves the current year out of the short form', () => {
  const now = new Date('2026-12-31T23:30:00.000Z')
  const timestamp = '2026-11-21T09:05:00.000Z'
  expect(formatShortDateTime(timestamp, now, 'en-GB', 'UTC')).toBe('21 Nov, 9:05')
  expect(formatShortDateTime(timestamp, now, 'en-GB', 'Asia/Tokyo')).toBe('21 Nov 2026, 18:05')
})
