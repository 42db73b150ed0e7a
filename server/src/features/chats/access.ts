import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { findChatOfMessage, findMessage, type MessageRow } from './messages/message-store.ts'
import { type ChatRow, findOwnChat } from './store.ts'

export interface ChatAddress {
  channelId: string
  chatId: string
}

export interface MessageAddress extends ChatAddress {
  messageId: string
}

/** Only the owner has access to a chat, and only while a member of its channel. Administrators have no access. */
export async function requireOwnChat(
  deps: Deps,
  actor: Actor,
  { channelId, chatId }: ChatAddress,
): Promise<ChatRow> {
  const chat = await findOwnChat(deps.db, actor.userId, channelId, chatId)
  if (!chat) throw notFound()
  return chat
}

/** Finds an assistant's reply in the user's own chat. */
export async function requireOwnReply(
  deps: Deps,
  actor: Actor,
  address: MessageAddress,
): Promise<{ chat: ChatRow; reply: MessageRow }> {
  const chat = await requireOwnChat(deps, actor, address)
  const reply = await findMessage(deps.db, chat.id, address.messageId)
  if (!reply) throw notFound()
  if (reply.role !== 'assistant') throw new AppError('chat.not_a_reply')
  return { chat, reply }
}

/** Finds a reply that has ended in any of the user's own chats in the channel. */
export async function requireEndedReply(
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
