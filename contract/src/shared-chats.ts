import * as z from 'zod/mini'
import { chatMessage, messagePageSize } from './chats.ts'
import { endpoint } from './endpoint.ts'
import { confirmation, id, intParam, isoTimestamp } from './wire.ts'

/** The link of a chat. Every member of the channel who has it can read the messages up to the moment of sharing. */
export const chatShare = z.object({
  shareId: id,
  sharedAt: isoTimestamp,
  /** True if the chat shows other messages by now, which the link does not. */
  isOutdated: z.boolean(),
})
export type ChatShare = z.output<typeof chatShare>

export const sharedChat = z.object({
  title: z.nullable(z.string()),
  ownerName: z.string(),
  sharedAt: isoTimestamp,
  /** One page of the shared messages, oldest first. They carry no ratings and no other versions. */
  messages: z.array(chatMessage),
  /** Cursor for the page of earlier messages: pass it as `before`. Null when there are none. */
  before: z.nullable(z.string()),
})
export type SharedChat = z.output<typeof sharedChat>

const chatParams = z.object({ channelId: id, chatId: id })

export const sharedChatsApi = {
  get: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/share',
    access: 'signed-in',
    summary: 'Get the link of your chat, or null if the chat is not shared',
    params: chatParams,
    reply: z.object({ share: z.nullable(chatShare) }),
  }),
  share: endpoint({
    method: 'PUT',
    path: '/chat/:channelId/chats/:chatId/share',
    access: 'signed-in',
    summary:
      'Share your chat up to its current end with members of the channel; a second call keeps the link',
    params: chatParams,
    reply: chatShare,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/chat/:channelId/chats/:chatId/share',
    access: 'signed-in',
    summary: 'Stop sharing your chat; its link no longer works',
    params: chatParams,
    reply: confirmation,
  }),
  read: endpoint({
    method: 'GET',
    path: '/chat/:channelId/shared/:shareId',
    access: 'signed-in',
    summary: 'Read a chat that another member of the channel shared',
    params: z.object({ channelId: id, shareId: id }),
    query: z.object({ limit: z._default(intParam(1, 200), messagePageSize), before: z.optional(id) }),
    reply: sharedChat,
  }),
} as const
