import { afterEach, describe, expect, it, vi } from 'vitest'
import { clearDrafts } from './clear-drafts.ts'
import { deleteDraftsOf, onDraftChangedElsewhere, readDraft, saveDraft } from './drafts.ts'

const mine = { userId: 'ingrid', chatId: 'a' }

afterEach(() => vi.restoreAllMocks())

describe('drafts', () => {
  it('are stored per user and chat', () => {
    saveDraft(mine, 'half a thought')
    expect(readDraft(mine)).toBe('half a thought')
    expect(readDraft({ ...mine, chatId: 'b' })).toBe('')
    expect(readDraft({ ...mine, userId: 'mateo' })).toBe('')
    expect(sessionStorage).toHaveLength(0)
  })

  it('are removed when they are sent or the user signs out', () => {
    localStorage.setItem('lyceum.theme', 'dark')
    saveDraft(mine, 'one')
    saveDraft(mine, '')
    expect(localStorage).toHaveLength(1)
    saveDraft(mine, 'two')
    saveDraft({ userId: 'mateo', chatId: 'b' }, 'three')
    clearDrafts()
    expect(Object.keys(localStorage)).toEqual(['lyceum.theme'])
  })

  it('are deleted with their chat', () => {
    saveDraft(mine, 'one')
    saveDraft({ ...mine, chatId: 'b' }, 'two')
    deleteDraftsOf('a')
    expect(Object.keys(localStorage)).toEqual(['lyceum.draft.ingrid.b'])
  })

  it('are limited to the newest 50', () => {
    const clock = vi.spyOn(Date, 'now')
    for (let number = 0; number <= 50; number += 1) {
      clock.mockReturnValue(1_000_000 + number)
      saveDraft({ userId: 'ingrid', chatId: `c${number}` }, 'text')
    }
    expect(localStorage).toHaveLength(50)
    expect(readDraft({ userId: 'ingrid', chatId: 'c0' })).toBe('')
    expect(readDraft({ userId: 'ingrid', chatId: 'c1' })).toBe('text')
  })

  it('expire after a month', () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(0)
    saveDraft(mine, 'old')
    clock.mockReturnValue(31 * 24 * 60 * 60 * 1000)
    expect(readDraft(mine)).toBe('')
    saveDraft({ ...mine, chatId: 'b' }, 'new')
    expect(Object.keys(localStorage)).toEqual(['lyceum.draft.ingrid.b'])
  })

  it('are empty when the stored value is malformed, and not saved when storage is full', () => {
    localStorage.setItem('lyceum.draft.ingrid.a', '{"text":7}')
    expect(readDraft(mine)).toBe('')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => saveDraft(mine, 'text')).not.toThrow()
  })

  it('report changes from another tab, but only to the same chat', () => {
    const received: string[] = []
    const stop = onDraftChangedElsewhere(mine, (text) => received.push(text))
    function dispatchChange(chatId: string, newValue: string | null): boolean {
      return dispatchEvent(new StorageEvent('storage', { key: `lyceum.draft.ingrid.${chatId}`, newValue }))
    }
    dispatchChange('a', JSON.stringify({ text: 'from there', at: 1 }))
    dispatchChange('b', JSON.stringify({ text: 'another chat', at: 1 }))
    dispatchChange('a', null)
    stop()
    dispatchChange('a', JSON.stringify({ text: 'too late', at: 1 }))
    expect(received).toEqual(['from there', ''])
  })
})
