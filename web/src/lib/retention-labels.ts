import { formatCount } from './format-count.ts'

interface Preview {
  chats: number
  /** There are more chats than were counted. */
  isCut: boolean
}

export function daysLabel(days: number): string {
  return `${days.toLocaleString('en')} days`
}

/** Whether a period is shorter than the present one; null means forever. */
export function isShorter(next: number | null, present: number | null): boolean {
  return next !== null && (present === null || next < present)
}

/** What the next clean-up would delete. Null when the chats could not be counted. */
export function cleanupPreviewText(preview: Preview | null): string {
  const when = 'The next clean-up, at midnight UTC,'
  if (preview === null) return `${when} deletes the chats that are older. How many could not be counted.`
  const { chats, isCut } = preview
  if (chats === 0) return `${when} would delete no chat yet.`
  const count = `${isCut ? 'more than ' : ''}${formatCount(chats, 'chat')}`
  return `${when} would delete ${count} for good, with all messages.`
}
