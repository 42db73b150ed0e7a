import type { Chat } from '@lyceum/contract/chats'

/** How many chats the list shows below the pinned ones until the user asks for all. */
const firstChats = 8

/** The pinned chats, the first of the others, and the open one wherever it is. Keeps the order. */
export function listFirst(chats: readonly Chat[], currentId: string | null): readonly Chat[] {
  const first = new Set(chats.filter(({ isPinned }) => isPinned !== true).slice(0, firstChats))
  return chats.filter((chat) => chat.isPinned === true || chat._id === currentId || first.has(chat))
}

export interface ChatGroup {
  label: 'Pinned' | 'Today' | 'Yesterday' | 'Earlier'
  chats: readonly Chat[]
}

/** Groups chats into pinned ones and, by the user's local day of their last change, the others. Keeps the order and leaves out empty groups. */
export function groupChats(chats: readonly Chat[], now: Date): ChatGroup[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  // Calendar days, because a day that changes the clock has 23 or 25 hours.
  const today = new Date(year, month, day).getTime()
  const yesterday = new Date(year, month, day - 1).getTime()
  const groups: Record<ChatGroup['label'], Chat[]> = { Pinned: [], Today: [], Yesterday: [], Earlier: [] }
  for (const chat of chats) {
    const changedAt = new Date(chat.updatedAt).getTime()
    if (chat.isPinned === true) groups.Pinned.push(chat)
    else groups[changedAt >= today ? 'Today' : changedAt >= yesterday ? 'Yesterday' : 'Earlier'].push(chat)
  }
  return (['Pinned', 'Today', 'Yesterday', 'Earlier'] as const)
    .map((label) => ({ label, chats: groups[label] }))
    .filter((group) => group.chats.length > 0)
}
