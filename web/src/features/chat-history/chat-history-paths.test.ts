import { describe, expect, it } from 'vitest'
import { chatHistoryListPath, chatHistoryPath } from './chat-history-paths.ts'

describe('chatHistoryListPath', () => {
  it('restores the filters of the list', () => {
    expect(chatHistoryListPath({ list: '?page=3&size=50' })).toBe('/admin/chat-history?page=3&size=50')
  })

  it.each([null, undefined, 'x', {}, { list: 3 }, { list: '//evil.example' }, { list: '' }])(
    'returns the unfiltered list for %j',
    (state) => {
      expect(chatHistoryListPath(state)).toBe('/admin/chat-history')
    },
  )
})

describe('chatHistoryPath', () => {
  it('encodes the id', () => {
    expect(chatHistoryPath('a/b?c')).toBe('/admin/chat-history/a%2Fb%3Fc')
  })
})
