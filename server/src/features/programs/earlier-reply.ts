import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { requireOwnReply } from '../chats/access.ts'
import { findChatOfMessage, type MessageRow } from '../chats/messages/message-store.ts'

/** The reply of an earlier response in the same channel, if it belongs to the user. */
export async function findEarlierReply(
  deps: Deps,
  actor: Actor,
  channelId: string,
  messageId: string,
): Promise<MessageRow> {
  const chatId = (await findChatOfMessage(deps.db, messageId)) ?? ''
  const { reply } = await requireOwnReply(deps, actor, { channelId, chatId, messageId })
  if (reply.state === 'streaming') throw new AppError('chat.busy')
  return reply
}
