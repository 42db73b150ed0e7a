import { createHash } from 'node:crypto'

type Fields = Record<string, unknown>

interface Changes {
  before: Fields
  after: Fields
}

/** The fields that differ; null when none do. */
export function findChanges(before: Fields, after: Fields): Changes | null {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  if (changed.length === 0) return null
  function only(fields: Fields): Fields {
    return Object.fromEntries(changed.map((field) => [field, fields[field] ?? null]))
  }
  return { before: only(before), after: only(after) }
}

/** Identifies a text that must not appear in the log: entries show that it changed and which version it was. */
export function fingerprint(text: string): string {
  return text === ''
    ? 'empty'
    : `${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
