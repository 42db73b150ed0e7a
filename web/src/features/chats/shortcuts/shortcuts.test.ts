import { afterEach, describe, expect, it, vi } from 'vitest'
import { capsOf, findShortcutAction, isSingleCharacter, type ShortcutKey, shortcuts } from './shortcuts.ts'

const reading = { isTyping: false, areSinglesOn: true }
const typing = { isTyping: true, areSinglesOn: true }
function press(key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) {
  return {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...held,
  }
}

afterEach(() => vi.unstubAllGlobals())

describe('a key', () => {
  it('does nothing by itself while somebody types', () => {
    for (const { keys } of shortcuts)
      for (const key of keys.filter(isSingleCharacter))
        expect(findShortcutAction(press(key.key), typing)).toBeNull()
  })

  it('does nothing by itself when such keys are switched off', () => {
    expect(findShortcutAction(press('n'), { isTyping: false, areSinglesOn: false })).toBeNull()
    expect(findShortcutAction(press('?'), { isTyping: false, areSinglesOn: false })).toBeNull()
    expect(findShortcutAction(press('k', { ctrlKey: true }), { isTyping: false, areSinglesOn: false })).toBe(
      'search',
    )
  })

  it('is what it is with the shift key or without, and in capitals', () => {
    expect(findShortcutAction(press('N'), reading)).toBe('create')
    expect(findShortcutAction(press('?'), reading)).toBe('help')
  })

  it('asks with Ctrl or Command wherever one is, and not with Alt', () => {
    expect(findShortcutAction(press('k', { ctrlKey: true }), typing)).toBe('search')
    expect(findShortcutAction(press('k', { metaKey: true }), typing)).toBe('search')
    expect(findShortcutAction(press('/', { ctrlKey: true }), typing)).toBe('help')
    expect(findShortcutAction(press('k', { ctrlKey: true, metaKey: true }), reading)).toBeNull()
    expect(findShortcutAction(press('k', { ctrlKey: true, altKey: true }), reading)).toBeNull()
    expect(findShortcutAction(press('n', { ctrlKey: true }), reading)).toBeNull()
  })

  it('stops a reply from the field too', () => {
    expect(findShortcutAction(press('Escape'), typing)).toBe('stop')
  })

  it('has one action', () => {
    const all = shortcuts.flatMap(({ keys }) => keys.map((key: ShortcutKey) => `${key.isCommand} ${key.key}`))
    expect(new Set(all).size).toBe(all.length)
  })

  it('is called what is printed on it', () => {
    vi.stubGlobal('navigator', { platform: 'MacIntel' })
    expect(capsOf({ key: 'k', isCommand: true })).toEqual(['⌘', 'K'])
    vi.stubGlobal('navigator', { platform: 'Win32' })
    expect(capsOf({ key: 'k', isCommand: true })).toEqual(['Ctrl', 'K'])
    expect(capsOf({ key: 'Escape' })).toEqual(['Esc'])
  })
})
