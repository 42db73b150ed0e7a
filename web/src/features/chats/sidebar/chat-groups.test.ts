import type { Chat } from '@lyceum/contract/chats'
import { describe, expect, it } from 'vitest'
import { groupByDay } from './chat-groups.ts'

function chatAt(id: string, time: Date): Chat {
  const at = time.toISOString()
  return { _id: id, title: null, messages: [], messageCount: 0, createdAt: at, updatedAt: at }
}

describe('groupByDay', () => {
  it('returns no group without chats', () => {
    expect(groupByDay([], new Date(2026, 10, 20, 12))).toEqual([])
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
    const groups = groupByDay(chats, new Date(2026, 10, 20, 12))
    expect(groups.map(({ label, chats: inGroup }) => [label, inGroup.map(({ _id }) => _id)])).toEqual([
      ['Today', ['future', 'midnight']],
      ['Yesterday', ['evening', 'yesterday']],
      ['Earlier', ['before', 'old']],
    ])
  })

  it('leaves out empty groups, and finds yesterday in the month before', () => {
    const groups = groupByDay([chatAt('a', new Date(2026, 9, 31, 8))], new Date(2026, 10, 1, 0, 1))
    expect(groups.map(({ label }) => label)).toEqual(['Yesterday'])
  })
})
