import { describe, expect, it } from 'vitest'
import { formatChatTime, formatMessageTime } from './chat-time.ts'

const now = new Date(2026, 10, 20, 15, 0)
function hoursAgo(hours: number, seconds = 0): Date {
  return new Date(now.getTime() - (hours * 3600 - seconds) * 1000)
}

describe('formatChatTime', () => {
  it.each([
    ['now', now, '15:00'],
    ['just under 24 hours ago', hoursAgo(24, 1), '15:00'],
    ['24 hours ago', hoursAgo(24), 'Thu'],
    ['just under 168 hours ago', hoursAgo(168, 1), 'Fri'],
    ['168 hours ago', hoursAgo(168), '13 Nov'],
    ['in the future, because the server’s clock is ahead', hoursAgo(-1), '16:00'],
  ])('formats the time of a chat that began %s', (_, time, text) => {
    expect(formatChatTime(time, now, 'en-GB')).toBe(text)
  })

  it('writes hours as usual in the language', () => {
    const morning = new Date(2026, 10, 20, 9, 5)
    expect(formatChatTime(morning, now, 'en-US')).toMatch(/^9:05\sAM$/)
    expect(formatChatTime(morning, now, 'en-GB')).toBe('09:05')
  })
})

describe('formatMessageTime', () => {
  it('shows the time, with the date for messages older than a day', () => {
    expect(formatMessageTime(hoursAgo(2), now, 'en-GB')).toBe('13:00')
    expect(formatMessageTime(hoursAgo(48), now, 'en-GB')).toBe('18 Nov, 15:00')
  })
})
