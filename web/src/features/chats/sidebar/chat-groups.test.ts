import type { Chat } from '@lyceum/contract/chats'
import { describe, expect, it } from 'vitest'
import { groupChats, listFirst } from './chat-groups.ts'

function chatAt(id: string, time: Date): Chat {
  const at = time.toISOString()
  return { _id: id, title: null, messages: [], messageCount: 0, createdAt: at, updatedAt: at }
}

describe('groupChats', () => {
  it('returns no group without chats', () => {
    expect(groupChats([], new Date(2026, 10, 20, 12))).toEqual([])
  })

  it('groups by the local day of the last change and keeps the order', () => {
    const chats = [
      chatAt('future', new Date(2026, 10, 20, 13)),
      chatAt('midnight', new Date(2026, 10, 20)),
      chatAt('evening', new Date(2026, 10, 19, 23, 59)),
      chatAt('yesterday', new Date(2026, 10, 19)),
      chatAt('before', new Date(2026, 10, 18, 23, 59)),
      chatAt('old', new Date(2025, 0, 1)),
    ]
    const groups = groupChats(chats, new Date(2026, 10, 20, 12))
    expect(groups.map(({ label, chats: inGroup }) => [label, inGroup.map(({ _id }) => _id)])).toEqual([
      ['Today', ['future', 'midnight']],
      ['Yesterday', ['evening', 'yesterday']],
      ['Earlier', ['before', 'old']],
    ])
  })

  it('puts pinned chats above all others, whatever their day', () => {
    const now = new Date(2026, 10, 20, 12)
    const pinned = { ...chatAt('pinned', new Date(2025, 0, 1)), isPinned: true }
    const groups = groupChats([pinned, chatAt('new', now)], now)
    expect(groups.map(({ label, chats: inGroup }) => [label, inGroup.map(({ _id }) => _id)])).toEqual([
      ['Pinned', ['pinned']],
      ['Today', ['new']],
    ])
  })

  it('leaves out empty groups, and finds yesterday in the month before', () => {
    const groups = groupChats([chatAt('a', new Date(2026, 9, 31, 8))], new Date(2026, 10, 1, 0, 1))
    expect(groups.map(({ label }) => label)).toEqual(['Yesterday'])
  })
})

describe('listFirst', () => {
  const now = new Date(2026, 10, 20, 12)
  const chats = Array.from({ length: 12 }, (_, index) => chatAt(`${index + 1}`, now))
  function listIds(...args: Parameters<typeof listFirst>): string {
    return listFirst(...args)
      .map(({ _id }) => _id)
      .join(' ')
  }

  it('returns the first eight chats in their order', () => {
    expect(listIds(chats, '2')).toBe('1 2 3 4 5 6 7 8')
    expect(listIds(chats.slice(0, 5), null)).toBe('1 2 3 4 5')
  })

  it('adds the open chat and every pinned one', () => {
    expect(listIds(chats, '11')).toBe('1 2 3 4 5 6 7 8 11')
    const pinned = ['p', 'q'].map((id) => ({ ...chatAt(id, now), isPinned: true }))
    expect(listIds([...pinned, ...chats], 'q')).toBe('p q 1 2 3 4 5 6 7 8')
  })
})
