import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearDrafts } from './clear-drafts.ts'
import { deleteUnsent, deleteUnsentOf, readUnsent, saveUnsent } from './unsent-messages.ts'

const noon = Date.UTC(2026, 10, 18, 12)
const mine = { userId: 'ingrid', chatId: 'a' }
function aMessage(key: string, timestamp = new Date(noon).toISOString()) {
  return {
    key,
    text: `words ${key}`,
    timestamp,
  }
}

beforeEach(() => void vi.setSystemTime(noon))
afterEach(() => vi.restoreAllMocks())

describe('unsent messages', () => {
  it('are stored per user and chat, in the order they were written', () => {
    const [earlier, later] = [new Date(noon - 1000).toISOString(), new Date(noon).toISOString()]
    saveUnsent(mine, aMessage('k2', later))
    saveUnsent(mine, aMessage('k1', earlier))
    expect(readUnsent(mine)).toEqual([aMessage('k1', earlier), aMessage('k2', later)])
    expect(readUnsent({ ...mine, userId: 'mateo' })).toEqual([])
    expect(readUnsent({ ...mine, chatId: 'b' })).toEqual([])
  })

  it('are removed one by one, with their chat, and when the user signs out', () => {
    saveUnsent(mine, aMessage('k1'))
    saveUnsent(mine, aMessage('k2'))
    deleteUnsent(mine, 'k1')
    expect(readUnsent(mine).map(({ key }) => key)).toEqual(['k2'])
    deleteUnsentOf('b')
    expect(readUnsent(mine)).toHaveLength(1)
    deleteUnsentOf('a')
    expect(localStorage).toHaveLength(0)
    saveUnsent(mine, aMessage('k3'))
    clearDrafts()
    expect(localStorage).toHaveLength(0)
  })

  it('are limited to the newest 50 and expire after a month', () => {
    saveUnsent(mine, aMessage('old', new Date(noon - 31 * 24 * 60 * 60 * 1000).toISOString()))
    expect(readUnsent(mine)).toEqual([])
    for (let number = 0; number <= 50; number += 1)
      saveUnsent(mine, aMessage(`k${number}`, new Date(noon - 1000 + number).toISOString()))
    const stored = readUnsent(mine)
    expect(stored).toHaveLength(50)
    expect(stored[0]?.key).toBe('k1')
  })

  it('are empty when the stored values are malformed, and not saved when storage is full', () => {
    localStorage.setItem('lyceum.unsent.ingrid.a.k1', '{"text":7}')
    localStorage.setItem('lyceum.unsent.ingrid.a.k2', '{')
    expect(readUnsent(mine)).toEqual([])
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => saveUnsent(mine, aMessage('k3'))).not.toThrow()
  })
})
