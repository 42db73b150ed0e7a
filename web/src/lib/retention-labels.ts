import { formatCount } from './format-count.ts'

interface Preview {
  chats: number
  /** There are more chats than were counted. */
  isCut: boolean
}

export function formatDays(days: number): string {
  return `${days.toLocaleString('en')} days`
}

/** Returns whether a period is shorter than the current one. Null means forever. */
export function isShorter(next: number | null, current: number | null): boolean {
  return next !== null && (current === null || next < current)
}

/** Describes what the next clean-up would delete. The preview is null when the chats could not be counted. */
export function describeCleanup(preview: Preview | null): string {
  const when = 'The next clean-up, at midnight UTC,'
  if (preview === null) return `${when} would delete older chats, but they could not be counted.`
  const { chats, isCut } = preview
  if (chats === 0) return `${when} would not delete any chats yet.`
  const count = `${isCut ? 'more than ' : ''}${formatCount(chats, 'chat')}`
  return `${when} would permanently delete ${count} with all messages.`
}
