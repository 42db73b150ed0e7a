import { afterEach, describe, expect, it, vi } from 'vitest'
import { findShortcutAction, isCharacterKey, keyLabels, type ShortcutKey, shortcuts } from './shortcuts.ts'

const reading = { isTyping: false, areSingleKeysOn: true }
const typing = { isTyping: true, areSingleKeysOn: true }
function press(key: string, modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) {
  return {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...modifiers,
  }
}

afterEach(() => vi.unstubAllGlobals())

describe('findShortcutAction', () => {
  it('ignores single keys while the user types', () => {
    for (const { keys } of shortcuts)
      for (const key of keys.filter(isCharacterKey))
        expect(findShortcutAction(press(key.key), typing)).toBeNull()
  })

  it('ignores single keys when they are switched off', () => {
    expect(findShortcutAction(press('n'), { isTyping: false, areSingleKeysOn: false })).toBeNull()
    expect(findShortcutAction(press('?'), { isTyping: false, areSingleKeysOn: false })).toBeNull()
    expect(
      findShortcutAction(press('k', { ctrlKey: true }), { isTyping: false, areSingleKeysOn: false }),
    ).toBe('search')
  })

  it('ignores Shift and upper case', () => {
    expect(findShortcutAction(press('N'), reading)).toBe('create')
    expect(findShortcutAction(press('?'), reading)).toBe('help')
  })

  it('accepts Ctrl or Command everywhere, but not with Alt', () => {
    expect(findShortcutAction(press('k', { ctrlKey: true }), typing)).toBe('search')
    expect(findShortcutAction(press('k', { metaKey: true }), typing)).toBe('search')
    expect(findShortcutAction(press('/', { ctrlKey: true }), typing)).toBe('help')
    expect(findShortcutAction(press('k', { ctrlKey: true, metaKey: true }), reading)).toBeNull()
    expect(findShortcutAction(press('k', { ctrlKey: true, altKey: true }), reading)).toBeNull()
    expect(findShortcutAction(press('n', { ctrlKey: true }), reading)).toBeNull()
  })

  it('stops a reply from the message field too', () => {
    expect(findShortcutAction(press('Escape'), typing)).toBe('stop')
  })

  it('assigns each key to one action', () => {
    const all = shortcuts.flatMap(({ keys }) => keys.map((key: ShortcutKey) => `${key.isCommand} ${key.key}`))
    expect(new Set(all).size).toBe(all.length)
  })

  it('labels keys as they are printed on a keyboard', () => {
    vi.stubGlobal('navigator', { platform: 'MacIntel' })
    expect(keyLabels({ key: 'k', isCommand: true })).toEqual(['⌘', 'K'])
    vi.stubGlobal('navigator', { platform: 'Win32' })
    expect(keyLabels({ key: 'k', isCommand: true })).toEqual(['Ctrl', 'K'])
    expect(keyLabels({ key: 'Escape' })).toEqual(['Esc'])
  })
})
