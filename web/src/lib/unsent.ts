import { keysWith, unsentPrefix } from './forget-drafts.ts'

/** More than these push out the oldest; one that nobody has tried again for so long is given up. */
const mostKept = 50
const longestKeptMs = 30 * 24 * 60 * 60 * 1000

interface Place {
  userId: string
  chatId: string
}

/** A message that did not get through. Its key makes sure that trying again stores it once. */
interface Unsent {
  readonly key: string
  readonly text: string
  readonly timestamp: string
}

function placePrefix({ userId, chatId }: Place): string {
  return `${unsentPrefix}${userId}.${chatId}.`
}

function parse(stored: string | null): Omit<Unsent, 'key'> | null {
  const value: unknown = JSON.parse(stored ?? 'null')
  if (typeof value !== 'object' || value === null || !('text' in value) || !('timestamp' in value))
    return null
  const { text, timestamp } = value
  return typeof text === 'string' && typeof timestamp === 'string' ? { text, timestamp } : null
}

function read(name: string): Unsent | null {
  try {
    const found = parse(localStorage.getItem(name))
    return found === null ? null : { key: name.slice(name.lastIndexOf('.') + 1), ...found }
  } catch {
    return null
  }
}

function ageOf({ timestamp }: Pick<Unsent, 'timestamp'>): number {
  return Date.now() - Date.parse(timestamp)
}

function isCurrent(message: Unsent | null): message is Unsent {
  return message !== null && ageOf(message) <= longestKeptMs
}

/** Newest first. */
function tidy(): void {
  const kept = keysWith(unsentPrefix).map((name) => ({ name, message: read(name) }))
  function age({ message }: { message: Unsent | null }): number {
    return message === null ? Number.POSITIVE_INFINITY : ageOf(message)
  }
  kept.sort((one, other) => age(one) - age(other))
  for (const [place, { name, message }] of kept.entries())
    if (place >= mostKept || !isCurrent(message)) localStorage.removeItem(name)
}

/** A browser that stores nothing forgets, and does nothing worse. */
function attempt(action: () => void): void {
  try {
    action()
  } catch {
    // Nothing is kept.
  }
}

/** What did not get through in a chat, oldest first. */
export function readUnsent(place: Place): Unsent[] {
  let found: Unsent[] = []
  attempt(() => {
    found = keysWith(placePrefix(place)).map(read).filter(isCurrent)
  })
  return found.sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp))
}

/** Keeps a message that did not get through, past a reload. */
export function keepUnsent(place: Place, { key, text, timestamp }: Unsent): void {
  attempt(() => {
    localStorage.setItem(placePrefix(place) + key, JSON.stringify({ text, timestamp }))
    tidy()
  })
}

export function forgetUnsent(place: Place, key: string): void {
  attempt(() => localStorage.removeItem(placePrefix(place) + key))
}

/** A chat that is no more has none. */
export function forgetUnsentOf(chatId: string): void {
  attempt(() => {
    for (const name of keysWith(unsentPrefix)) if (name.includes(`.${chatId}.`)) localStorage.removeItem(name)
  })
}
