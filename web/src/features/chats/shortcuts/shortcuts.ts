/** All shortcuts, in the order of the dialog. The key handler and the dialog use the same table. */
export const shortcuts = [
  { action: 'search', label: 'Search your chats', keys: [{ key: 'k', isCommand: true }] },
  { action: 'help', label: 'Show keyboard shortcuts', keys: [{ key: '?' }, { key: '/', isCommand: true }] },
  { action: 'create', label: 'Start a new chat', keys: [{ key: 'n' }] },
  { action: 'focusField', label: 'Go to the message field', keys: [{ key: 'm' }] },
  { action: 'sidebar', label: 'Show or hide channels and chats', keys: [{ key: 'b' }] },
  { action: 'previous', label: 'Open the chat above', keys: [{ key: 'k' }] },
  { action: 'next', label: 'Open the chat below', keys: [{ key: 'j' }] },
  { action: 'copy', label: 'Copy the last reply', keys: [{ key: 'c' }] },
  { action: 'rename', label: 'Rename this chat', keys: [{ key: 'r' }] },
  { action: 'remove', label: 'Delete this chat', keys: [{ key: 'd' }] },
  { action: 'stop', label: 'Stop the reply', keys: [{ key: 'Escape' }] },
] as const satisfies readonly Shortcut[]

export interface ShortcutKey {
  /** `KeyboardEvent.key`. */
  key: string
  /** With Ctrl, or with Command on a Mac. */
  isCommand?: true
}

interface Shortcut {
  action: string
  label: string
  keys: readonly ShortcutKey[]
}

export type ShortcutAction = (typeof shortcuts)[number]['action']

/** Whether this is a character key without Ctrl or Command. Such shortcuts are off while typing and can be disabled. */
export function isCharacterKey({ key, isCommand }: ShortcutKey): boolean {
  return isCommand === undefined && key.length === 1
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

function matches(wanted: ShortcutKey, { key, ctrlKey, metaKey, altKey }: PressedKey): boolean {
  return (
    wanted.key === (key.length === 1 ? key.toLowerCase() : key) &&
    !altKey &&
    (wanted.isCommand === true ? ctrlKey !== metaKey : !ctrlKey && !metaKey)
  )
}

interface ShortcutContext {
  /** A text field has the focus. */
  isTyping: boolean
  areSingleKeysOn: boolean
}

/** The action of a pressed key, or null. */
export function findShortcutAction(
  pressed: PressedKey,
  { isTyping, areSingleKeysOn }: ShortcutContext,
): ShortcutAction | null {
  for (const { action, keys } of shortcuts) {
    const key = (keys as readonly ShortcutKey[]).find((wanted) => matches(wanted, pressed))
    if (key === undefined) continue
    if (!isCharacterKey(key) || (areSingleKeysOn && !isTyping)) return action
  }
  return null
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}

const names: Record<string, string> = { Escape: 'Esc' }

/** The labels on the keys. */
export function keyLabels({ key, isCommand }: ShortcutKey): string[] {
  return [...(isCommand === true ? [isMac() ? '⌘' : 'Ctrl'] : []), names[key] ?? key.toUpperCase()]
}
