import { expect, it } from 'vitest'
import { formatDateTime } from './date-time.ts'

it('formats date and time', () => {
  expect(formatDateTime('2026-11-21T09:05:00.000Z', 'en-GB', 'UTC')).toBe('21 Nov 2026, 09:05')
  expect(formatDateTime('2026-11-21T23:05:00.000Z', 'en-GB', 'Asia/Tokyo')).toBe('22 Nov 2026, 08:05')
})
