import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetDraftsOf, keepDraft, onDraftElsewhere, readDraft } from './drafts.ts'
import { forgetDrafts } from './forget-drafts.ts'

const mine = { userId: 'ingrid', chatId: 'a' }

afterEach(() => vi.restoreAllMocks())

describe('drafts', () => {
  it('are kept by person and chat, past the end of a tab', () => {
    keepDraft(mine, 'half a thought')
    expect(readDraft(mine)).toBe('half a thought')
    expect(readDraft({ ...mine, chatId: 'b' })).toBe('')
    expect(readDraft({ ...mine, userId: 'mateo' })).toBe('')
    expect(sessionStorage).toHaveLength(0)
  })

  it('leave nothing behind when they are sent, or when the person signs out', () => {
    localStorage.setItem('lyceum.theme', 'dark')
    keepDraft(mine, 'one')
    keepDraft(mine, '')
    expect(localStorage).toHaveLength(1)
    keepDraft(mine, 'two')
    keepDraft({ userId: 'mateo', chatId: 'b' }, 'three')
    forgetDrafts()
    expect(Object.keys(localStorage)).toEqual(['lyceum.theme'])
  })

  it('go with their chat', () => {
    keepDraft(mine, 'one')
    keepDraft({ ...mine, chatId: 'b' }, 'two')
    forgetDraftsOf('a')
    expect(Object.keys(localStorage)).toEqual(['lyceum.draft.ingrid.b'])
  })

  it('are fifty at most: the oldest give way', () => {
    const clock = vi.spyOn(Date, 'now')
    for (let number = 0; number <= 50; number += 1) {
      clock.mockReturnValue(1_000_000 + number)
      keepDraft({ userId: 'ingrid', chatId: `c${number}` }, 'text')
    }
    expect(localStorage).toHaveLength(50)
    expect(readDraft({ userId: 'ingrid', chatId: 'c0' })).toBe('')
    expect(readDraft({ userId: 'ingrid', chatId: 'c1' })).toBe('text')
  })

  it('are given up after a month', () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(0)
    keepDraft(mine, 'old')
    clock.mockReturnValue(31 * 24 * 60 * 60 * 1000)
    expect(readDraft(mine)).toBe('')
    keepDraft({ ...mine, chatId: 'b' }, 'new')
    expect(Object.keys(localStorage)).toEqual(['lyceum.draft.ingrid.b'])
  })

  it('are nothing when what is stored cannot be read, or nothing can be stored', () => {
    localStorage.setItem('lyceum.draft.ingrid.a', '{"text":7}')
    expect(readDraft(mine)).toBe('')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => keepDraft(mine, 'text')).not.toThrow()
  })

  it('are heard of when another tab changes them, those of other chats not', () => {
    const heard: string[] = []
    const stop = onDraftElsewhere(mine, (text) => heard.push(text))
    function say(chatId: string, newValue: string | null): boolean {
      return dispatchEvent(new StorageEvent('storage', { key: `lyceum.draft.ingrid.${chatId}`, newValue }))
    }
    say('a', JSON.stringify({ text: 'from there', at: 1 }))
    say('b', JSON.stringify({ text: 'another chat', at: 1 }))
    say('a', null)
    stop()
    say('a', JSON.stringify({ text: 'too late', at: 1 }))
    expect(heard).toEqual(['from there', ''])
  })
})
