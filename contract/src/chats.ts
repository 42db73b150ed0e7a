import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  message as confirmation,
  count,
  id,
  instant,
  isBlank,
  line,
  prose,
  searched,
  searchWords,
} from './wire.ts'

export const messageMaxLength = 16_000
/** How much of the last message a chat's line in the sidebar shows. */
export const previewLength = 30
export const messagePageSize = 60

export const replyState = z.enum(['streaming', 'complete', 'stopped', 'interrupted', 'failed'])

/** How a reply came about: written by a model, quoted without one, or refused because the documents do not hold it. */
export const replyMode = z.enum(['model', 'extractive', 'refusal'])
export type ReplyMode = z.output<typeof replyMode>

export const citation = z.object({
  /** The number in the reply's text: `[n]`. */
  n: z.number(),
  documentId: id,
  /** The version that was cited; the first where none is named. */
  version: z.optional(z.number()),
  title: z.string(),
  fileType: z.string(),
  page: z.nullable(z.number()),
  headingPath: z.array(z.string()),
  /** Where the passage stands in the document's text, in UTF-16 code units. */
  charStart: z.number(),
  charEnd: z.number(),
  quote: z.string(),
  /** False when the document has been deleted or is no longer approved. */
  available: z.boolean(),
  /** True when a later version of the document answers by now: what was cited is still opened by its version. */
  isOutdated: z.optional(z.boolean()),
})
export type Citation = z.output<typeof citation>

export const feedbackReasons = [
  'incorrect',
  'not-in-sources',
  'incomplete',
  'off-topic',
  'unclear',
  'other',
] as const
export const feedbackCommentMaxLength = 1000

/** What its reader thinks of a reply. */
export const feedback = z.object({
  rating: z.enum(['good', 'bad']),
  /** Of a bad one. */
  reason: z.nullable(z.enum(feedbackReasons)),
  comment: z.string(),
})
export type Feedback = z.output<typeof feedback>

export const chatMessage = z.object({
  _id: id,
  role: z.enum(['user', 'assistant', 'system']),
  content: z.string(),
  timestamp: instant,
  /** How far a user's message came. */
  status: z.optional(z.enum(['sent', 'delivered', 'read'])),
  /** Of a reply. */
  state: z.optional(replyState),
  mode: z.optional(z.nullable(replyMode)),
  citations: z.optional(z.array(citation)),
  /** The label the channel asked for and the model that answered. */
  model: z.optional(z.nullable(z.object({ requested: z.string(), actual: z.string() }))),
  /** Why a reply failed, in words. */
  error: z.optional(z.nullable(z.string())),
  /** Versions of this turn, oldest first; switching shows another. */
  versions: z.optional(z.object({ ids: z.array(z.string()), current: z.number() })),
  /** Of a reply that its reader has judged. */
  feedback: z.optional(feedback),
  /** Whether a reply that broke off can be written on. */
  canContinue: z.optional(z.boolean()),
  /** The number of the last event of a reply that is still running. */
  lastEvent: z.optional(z.number()),
})
export type ChatMessage = z.output<typeof chatMessage>

export const chat = z.object({
  _id: id,
  title: z.nullable(z.string()),
  /** At most the last message, cut to what a preview needs. */
  messages: z.array(z.object({ role: z.string(), content: z.string(), timestamp: instant })),
  messageCount: z.number(),
  createdAt: instant,
  updatedAt: instant,
})
export type Chat = z.output<typeof chat>

export const conversation = z.object({
  chatId: id,
  title: z.nullable(z.string()),
  /** The newest ones of the active path, oldest first. */
  messages: z.array(chatMessage),
  /** Pass as `before` for the messages above; null at the beginning. */
  before: z.nullable(z.string()),
  total: z.number(),
})
export type Conversation = z.output<typeof conversation>

export const usage = z.object({
  inputTokens: z.nullable(z.number()),
  outputTokens: z.nullable(z.number()),
  /** True when the provider reported nothing and the numbers are our estimate. */
  estimated: z.boolean(),
})

export const messageInput = z.object({
  message: z.string().check(
    // What is pasted may hold it; no database keeps it in a text.
    z.overwrite((text) => text.replaceAll('\0', '')),
    z.refine((text) => !isBlank(text), 'A message cannot be blank'),
    z.maxLength(messageMaxLength, `At most ${messageMaxLength} characters`),
  ),
})

const numbered = { seq: z.number() }

/** What happens to a reply, in order. `seq` counts from 1 within the reply. */
export const replyEvent = z.discriminatedUnion('type', [
  z.object({
    ...numbered,
    type: z.literal('accepted'),
    message: z.nullable(chatMessage),
    reply: chatMessage,
  }),
  z.object({ ...numbered, type: z.literal('status'), status: z.enum(['searching', 'thinking', 'checking']) }),
  z.object({ ...numbered, type: z.literal('delta'), text: z.string() }),
  z.object({ ...numbered, type: z.literal('citation'), citation }),
  z.object({ ...numbered, type: z.literal('done'), reply: chatMessage }),
  z.object({
    ...numbered,
    type: z.literal('error'),
    code: z.string(),
    message: z.string(),
    reply: chatMessage,
  }),
])
export type ReplyEvent = z.output<typeof replyEvent>

export const sentMessage = z.object({
  chatId: id,
  message: z.nullable(chatMessage),
  reply: chatMessage,
  messages: z.array(chatMessage),
  usage: z.nullable(usage),
})

const channelParams = z.object({ channelId: id })
const chatParams = z.object({ channelId: id, chatId: id })
const messageParams = z.object({ channelId: id, chatId: id, messageId: id })

export const chatsApi = {
  list: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats',
    access: 'signed-in',
    summary: 'One’s chats in a channel, newest update first',
    params: channelParams,
    query: z.object({ limit: z.optional(count(1, 500)), skip: z.optional(count(0, 10_000_000)) }),
    reply: z.object({ chats: z.array(chat), total: z.number(), totalPages: z.number() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats',
    access: 'signed-in',
    summary: 'Begin a chat',
    params: channelParams,
    body: z.object({}),
    reply: chat,
  }),
  get: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId',
    access: 'signed-in',
    summary: 'A chat’s last messages, and with `before` those above',
    params: chatParams,
    query: z.object({ limit: z._default(count(1, 200), messagePageSize), before: z.optional(id) }),
    reply: conversation,
  }),
  send: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages',
    access: 'signed-in',
    limit: 'message',
    summary: 'Send a message; the reply comes as events or, drained, as JSON',
    params: chatParams,
    body: messageInput,
    reply: sentMessage,
    events: replyEvent,
  }),
  events: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/events',
    access: 'signed-in',
    limit: 'stream',
    summary: 'The events of a reply after a number: resume after a reload or in a second tab',
    params: messageParams,
    query: z.object({ after: z._default(count(0, 100_000_000), 0) }),
    reply: sentMessage,
    events: replyEvent,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/stop',
    access: 'signed-in',
    summary: 'Stop a reply; what was written stays',
    params: messageParams,
    reply: chatMessage,
  }),
  regenerate: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/regenerate',
    access: 'signed-in',
    limit: 'message',
    summary: 'Ask for a reply again; the earlier one stays as a version',
    params: messageParams,
    reply: sentMessage,
    events: replyEvent,
  }),
  continue: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/continue',
    access: 'signed-in',
    limit: 'message',
    summary: 'Have a reply that broke off written on; the broken one stays as a version',
    params: messageParams,
    reply: sentMessage,
    events: replyEvent,
  }),
  show: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/show',
    access: 'signed-in',
    summary: 'Show another version of a message, with what followed it last',
    params: messageParams,
    reply: conversation,
  }),
  judge: endpoint({
    method: 'PUT',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/feedback',
    access: 'signed-in',
    summary: 'Say what one thinks of a reply, or take it back',
    params: messageParams,
    body: z.object({
      rating: z.nullable(z.enum(['good', 'bad'])),
      reason: z._default(z.nullable(z.enum(feedbackReasons)), null),
      comment: z._default(prose(feedbackCommentMaxLength), ''),
    }),
    reply: chatMessage,
  }),
  edit: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/edit',
    access: 'signed-in',
    limit: 'message',
    summary: 'Send another version of one’s message',
    params: messageParams,
    body: messageInput,
    reply: sentMessage,
    events: replyEvent,
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/chat/:channelId/chats/:chatId',
    access: 'signed-in',
    summary: 'Name a chat',
    params: chatParams,
    body: z.object({ title: line(120, 'Title is required') }),
    reply: chat,
  }),
  export: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/export',
    access: 'signed-in',
    limit: 'history',
    summary: 'A chat as a file, from its first message to its last',
    params: chatParams,
    query: z.object({ format: z._default(z.enum(['markdown', 'json']), 'markdown') }),
    reply: 'file',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/chat/:channelId/chats/:chatId',
    access: 'signed-in',
    summary: 'Delete a chat',
    params: chatParams,
    reply: confirmation,
  }),
  search: endpoint({
    method: 'GET',
    path: '/chat/search',
    access: 'signed-in',
    summary: 'Search one’s own chats: their titles, and every version of their messages',
    query: z.object({
      q: searchWords.check(z.minLength(1, 'What to look for is required')),
      channelId: z.optional(id),
      limit: z._default(count(1, 100), 20),
      skip: z._default(count(0, 10_000), 0),
    }),
    reply: z.object({
      items: z.array(
        z.object({
          chatId: id,
          channelId: id,
          channelName: z.string(),
          /** Null where the chat's title is what matches. */
          messageId: z.nullable(id),
          role: z.nullable(z.enum(['user', 'assistant'])),
          title: z.nullable(z.string()),
          excerpt: z.string(),
          timestamp: instant,
        }),
      ),
      total: z.number(),
      totalPages: z.number(),
      ...searched,
    }),
  }),
} as const
