import { describe, expect, it } from 'vitest'
import { historyPath, listPathFrom } from './history-path.ts'

describe('the way between the list and a chat', () => {
  it('leads back to the list as it was', () => {
    expect(listPathFrom({ list: '?page=3&size=50' })).toBe('/admin/chat-history?page=3&size=50')
  })

  it.each([null, undefined, 'x', {}, { list: 3 }, { list: '//evil.example' }, { list: '' }])(
    'leads to the whole list from %j',
    (state) => {
      expect(listPathFrom(state)).toBe('/admin/chat-history')
    },
  )

  it('keeps what an id holds out of the path', () => {
    expect(historyPath('a/b?c')).toBe('/admin/chat-history/a%2Fb%3Fc')
  })
})
