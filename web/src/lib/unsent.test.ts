import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetDrafts } from './forget-drafts.ts'
import { forgetUnsent, forgetUnsentOf, keepUnsent, readUnsent } from './unsent.ts'

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

describe('messages that did not get through', () => {
  it('are kept by person and chat, in the order they were written', () => {
    const [earlier, later] = [new Date(noon - 1000).toISOString(), new Date(noon).toISOString()]
    keepUnsent(mine, aMessage('k2', later))
    keepUnsent(mine, aMessage('k1', earlier))
    expect(readUnsent(mine)).toEqual([aMessage('k1', earlier), aMessage('k2', later)])
    expect(readUnsent({ ...mine, userId: 'mateo' })).toEqual([])
    expect(readUnsent({ ...mine, chatId: 'b' })).toEqual([])
  })

  it('go one by one, with their chat, and when the person signs out', () => {
    keepUnsent(mine, aMessage('k1'))
    keepUnsent(mine, aMessage('k2'))
    forgetUnsent(mine, 'k1')
    expect(readUnsent(mine).map(({ key }) => key)).toEqual(['k2'])
    forgetUnsentOf('b')
    expect(readUnsent(mine)).toHaveLength(1)
    forgetUnsentOf('a')
    expect(localStorage).toHaveLength(0)
    keepUnsent(mine, aMessage('k3'))
    forgetDrafts()
    expect(localStorage).toHaveLength(0)
  })

  it('are fifty at most, and a month old at most', () => {
    keepUnsent(mine, aMessage('old', new Date(noon - 31 * 24 * 60 * 60 * 1000).toISOString()))
    expect(readUnsent(mine)).toEqual([])
    for (let number = 0; number <= 50; number += 1)
      keepUnsent(mine, aMessage(`k${number}`, new Date(noon - 1000 + number).toISOString()))
    const kept = readUnsent(mine)
    expect(kept).toHaveLength(50)
    expect(kept[0]?.key).toBe('k1')
  })

  it('are nothing when what is stored cannot be read, or nothing can be stored', () => {
    localStorage.setItem('lyceum.unsent.ingrid.a.k1', '{"text":7}')
    localStorage.setItem('lyceum.unsent.ingrid.a.k2', '{')
    expect(readUnsent(mine)).toEqual([])
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => keepUnsent(mine, aMessage('k3'))).not.toThrow()
  })
})
