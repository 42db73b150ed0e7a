import { type Attachment, attachment } from '@lyceum/contract/attachments'
import * as z from 'zod/mini'
import { listKeysWithPrefix, unsentPrefix } from './clear-drafts.ts'

/** Beyond this number, the oldest messages are removed. Messages older than `maxAgeMs` are removed too. */
const maxUnsent = 50
const maxAgeMs = 30 * 24 * 60 * 60 * 1000

interface ChatKey {
  userId: string
  chatId: string
}

/** A message that could not be sent. Its idempotency key makes a retry store it only once. */
interface UnsentMessage {
  readonly key: string
  readonly text: string
  readonly files?: readonly Attachment[] | undefined
  readonly timestamp: string
}

function chatPrefix({ userId, chatId }: ChatKey): string {
  return `${unsentPrefix}${userId}.${chatId}.`
}

function parse(stored: string | null): Omit<UnsentMessage, 'key'> | null {
  const value: unknown = JSON.parse(stored ?? 'null')
  if (typeof value !== 'object' || value === null || !('text' in value) || !('timestamp' in value))
    return null
  const { text, timestamp } = value
  if (typeof text !== 'string' || typeof timestamp !== 'string') return null
  const files = 'files' in value ? z.array(attachment).safeParse(value.files).data : undefined
  return { text, timestamp, ...(files ? { files } : {}) }
}

function read(name: string): UnsentMessage | null {
  try {
    const found = parse(localStorage.getItem(name))
    return found === null ? null : { key: name.slice(name.lastIndexOf('.') + 1), ...found }
  } catch {
    return null
  }
}

function getAge({ timestamp }: Pick<UnsentMessage, 'timestamp'>): number {
  return Date.now() - Date.parse(timestamp)
}

function isUnexpired(message: UnsentMessage | null): message is UnsentMessage {
  return message !== null && getAge(message) <= maxAgeMs
}

function removeOldMessages(): void {
  const messages = listKeysWithPrefix(unsentPrefix).map((name) => ({ name, message: read(name) }))
  function age({ message }: { message: UnsentMessage | null }): number {
    return message === null ? Number.POSITIVE_INFINITY : getAge(message)
  }
  messages.sort((one, other) => age(one) - age(other))
  for (const [index, { name, message }] of messages.entries())
    if (index >= maxUnsent || !isUnexpired(message)) localStorage.removeItem(name)
}

/** If storage is disabled or full, messages are not saved, but nothing else fails. */
function attempt(action: () => void): void {
  try {
    action()
  } catch {
    // Storage is disabled or full.
  }
}

/** The messages of a chat that could not be sent, oldest first. */
export function readUnsent(chat: ChatKey): UnsentMessage[] {
  let found: UnsentMessage[] = []
  attempt(() => {
    found = listKeysWithPrefix(chatPrefix(chat)).map(read).filter(isUnexpired)
  })
  return found.sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp))
}

/** Saves a message that could not be sent, so that it survives a reload. */
export function saveUnsent(chat: ChatKey, { key, text, files, timestamp }: UnsentMessage): void {
  attempt(() => {
    localStorage.setItem(chatPrefix(chat) + key, JSON.stringify({ text, files, timestamp }))
    removeOldMessages()
  })
}

export function deleteUnsent(chat: ChatKey, key: string): void {
  attempt(() => localStorage.removeItem(chatPrefix(chat) + key))
}

/** Deletes the unsent messages of a deleted chat. */
export function deleteUnsentOf(chatId: string): void {
  attempt(() => {
    for (const name of listKeysWithPrefix(unsentPrefix))
      if (name.includes(`.${chatId}.`)) localStorage.removeItem(name)
  })
}
