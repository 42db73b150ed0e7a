import type { chatsApi } from '@lyceum/contract/chats'
import type { QueryOf, ReplyOf } from '@lyceum/contract/endpoint'
import { countPages } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { findOwnChats } from './search-store.ts'

/** Searches the user's own chats: hits chat by chat, those with the newest hits first. Chats in channels they have left are excluded. */
export async function searchChats(
  deps: Deps,
  actor: Actor,
  { q, channelId, limit, skip }: QueryOf<typeof chatsApi.search>,
): Promise<ReplyOf<typeof chatsApi.search>> {
  const { hits, total, isCut, isBuilding } = await deps.messageSearch.findOwnMessages({
    words: q,
    userId: actor.userId,
    channelId,
    limit,
    skip,
  })
  const chats = await findOwnChats(deps.db, actor.userId, [...new Set(hits.map(({ chatId }) => chatId))])
  const items = hits.flatMap(({ chatId, messageId, role, excerpt, at }) => {
    const chat = chats.get(chatId)
    if (!chat) return []
    const { title, channel_id, channel_name } = chat
    const timestamp = new Date(at).toISOString()
    return [
      {
        chatId,
        channelId: channel_id,
        channelName: channel_name,
        messageId,
        role,
        title,
        excerpt,
        timestamp,
      },
    ]
  })
  return { items, total, totalPages: countPages(total, limit), isCut, isBuilding }
}
