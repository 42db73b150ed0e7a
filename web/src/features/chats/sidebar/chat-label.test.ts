import { describe, expect, it } from 'vitest'
import { chatName, chatPreview } from './chat-label.ts'

function chatWith(...contents: string[]) {
  return {
    messages: contents.map((content) => ({ role: 'user', content, timestamp: '2026-11-20T10:00:00.000Z' })),
  }
}

describe('chatPreview', () => {
  it.each([
    ['keeps thirty characters', 'x'.repeat(30), 'x'.repeat(30)],
    ['cuts off the thirty-first character', 'x'.repeat(31), `${'x'.repeat(30)}...`],
    ['turns line breaks into spaces', 'one\n\n two', 'one two'],
    ['does not cut an emoji in half', `${'x'.repeat(29)}😀😀`, `${'x'.repeat(29)}😀...`],
  ])('%s', (_, content, preview) => {
    expect(chatPreview(chatWith('earlier', content))).toBe(preview)
  })

  it('removes characters that hide or reverse text', () => {
    expect(chatPreview(chatWith('a\u202Eb\u2066c\u{E0041}d\u200Be'))).toBe('abcde')
  })

  it('returns New chat when there is no message', () => {
    expect(chatPreview(chatWith())).toBe('New chat')
  })
})

describe('chatName', () => {
  it('returns the title, or Chat without one', () => {
    expect(chatName({ title: null })).toBe('Chat')
    expect(chatName({ title: 'Leave of absence' })).toBe('Leave of absence')
    expect(chatName({ title: 'Leave\u202E\u{E0041}' })).toBe('Leave')
  })
})
