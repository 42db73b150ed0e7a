/** Everything that a key does in the chat, in the order of the sheet. The handler and the sheet read the same table. */
export const shortcuts = [
  { action: 'search', words: 'Search your chats', keys: [{ key: 'k', isCommand: true }] },
  { action: 'help', words: 'Show this sheet', keys: [{ key: '?' }, { key: '/', isCommand: true }] },
  { action: 'create', words: 'Begin a new chat', keys: [{ key: 'n' }] },
  { action: 'write', words: 'Go to the message field', keys: [{ key: 'm' }] },
  { action: 'sidebar', words: 'Show or hide channels and chats', keys: [{ key: 'b' }] },
  { action: 'previous', words: 'Open the chat above', keys: [{ key: 'k' }] },
  { action: 'next', words: 'Open the chat below', keys: [{ key: 'j' }] },
  { action: 'copy', words: 'Copy the last reply', keys: [{ key: 'c' }] },
  { action: 'rename', words: 'Rename this chat', keys: [{ key: 'r' }] },
  { action: 'remove', words: 'Delete this chat, after a question', keys: [{ key: 'd' }] },
  { action: 'stop', words: 'Stop the reply that is being written', keys: [{ key: 'Escape' }] },
] as const satisfies readonly Shortcut[]

export interface ShortcutKey {
  /** As the browser names it. */
  key: string
  /** With Ctrl, or with Command on a Mac. */
  isCommand?: true
}

interface Shortcut {
  action: string
  words: string
  keys: readonly ShortcutKey[]
}

export type ShortcutAction = (typeof shortcuts)[number]['action']

/** Pressed by itself such a key is a letter: it does something only where nothing can be typed, and can be switched off. */
export function isSingleCharacter({ key, isCommand }: ShortcutKey): boolean {
  return isCommand === undefined && key.length === 1
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

function fits(wanted: ShortcutKey, { key, ctrlKey, metaKey, altKey }: Pressed): boolean {
  return (
    wanted.key === (key.length === 1 ? key.toLowerCase() : key) &&
    !altKey &&
    (wanted.isCommand === true ? ctrlKey !== metaKey : !ctrlKey && !metaKey)
  )
}

interface Situation {
  /** Something that is typed into has the focus. */
  isTyping: boolean
  /** Single characters are not switched off. */
  areSinglesOn: boolean
}

/** What a key that was pressed asks for; null when it asks for nothing here. */
export function findShortcutAction(
  pressed: Pressed,
  { isTyping, areSinglesOn }: Situation,
): ShortcutAction | null {
  for (const { action, keys } of shortcuts) {
    const key = (keys as readonly ShortcutKey[]).find((wanted) => fits(wanted, pressed))
    if (key === undefined) continue
    if (!isSingleCharacter(key) || (areSinglesOn && !isTyping)) return action
  }
  return null
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}

const names: Record<string, string> = { Escape: 'Esc' }

/** What is printed on the keys. */
export function capsOf({ key, isCommand }: ShortcutKey): string[] {
  return [...(isCommand === true ? [isMac() ? '⌘' : 'Ctrl'] : []), names[key] ?? key.toUpperCase()]
}
