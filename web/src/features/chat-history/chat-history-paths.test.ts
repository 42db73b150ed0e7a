import { describe, expect, it } from 'vitest'
import { chatHistoryPath } from './chat-history-paths.ts'

describe('chatHistoryPath', () => {
  it('encodes the id', () => {
    expect(chatHistoryPath('a/b?c')).toBe('/admin/chat-history/a%2Fb%3Fc')
  })
})
