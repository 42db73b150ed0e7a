import type { HistoryFilters } from '@lyceum/contract/chat-history'
import { type Actor, requirePermission } from '../../actor.ts'

/** Selects chats. Omitted fields do not filter. */
export interface ChatSelection {
  userId?: string | undefined
  channelId?: string | undefined
  chatId?: string | undefined
  /** Inclusive bounds of the chat's creation time, in milliseconds. */
  from?: number | undefined
  to?: number | undefined
  /** Only chats with messages. */
  isNotEmpty?: true | undefined
}

const endOfDay = 'T23:59:59.999Z'

function parseTime(text: string | undefined, timeOfDay: '' | typeof endOfDay): number | undefined {
  return text === undefined ? undefined : Date.parse(text.includes('T') ? text : text + timeOfDay)
}

export function toSelection(filters: HistoryFilters): ChatSelection {
  return {
    userId: filters.userId,
    channelId: filters.channelId,
    chatId: filters.chatId,
    from: parseTime(filters.startDate, ''),
    to: parseTime(filters.endDate, endOfDay),
    isNotEmpty: filters.empty === 'hide' ? true : undefined,
  }
}

/** Returns the search text after checking the permission to search, or null when there is none. */
export function getPermittedSearchText(actor: Actor, { search }: HistoryFilters): string | null {
  if (search === undefined || search === '') return null
  requirePermission(actor, 'canSearchChatHistory')
  return search
}
