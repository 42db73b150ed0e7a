import type { HistoryFilters } from '@lyceum/contract/chat-history'
import { type Actor, requirePermission } from '../../actor.ts'

/** Which chats are meant; what is left out does not narrow. */
export interface ChatSelection {
  userId?: string | undefined
  channelId?: string | undefined
  chatId?: string | undefined
  /** Bounds of the chat's beginning, both included, in milliseconds. */
  from?: number | undefined
  to?: number | undefined
}

const lastOfDay = 'T23:59:59.999Z'

function momentOf(text: string | undefined, ofDay: '' | typeof lastOfDay): number | undefined {
  return text === undefined ? undefined : Date.parse(text.includes('T') ? text : text + ofDay)
}

export function selectionOf(filters: HistoryFilters): ChatSelection {
  return {
    userId: filters.userId,
    channelId: filters.channelId,
    chatId: filters.chatId,
    from: momentOf(filters.startDate, ''),
    to: momentOf(filters.endDate, lastOfDay),
  }
}

/** The words that were asked for, from whoever may ask for words; null where none were. */
export function wordsOf(actor: Actor, { search }: HistoryFilters): string | null {
  if (search === undefined || search === '') return null
  requirePermission(actor, 'canSearchChatHistory')
  return search
}
