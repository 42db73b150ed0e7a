import * as z from 'zod/mini'
import { attachment, attachmentIds } from './attachments.ts'
import { setupProblem } from './channels.ts'
import { citation } from './citations.ts'
import { endpoint } from './endpoint.ts'
import { feedback, feedbackCommentMaxLength, feedbackReasons } from './feedback.ts'
import {
  confirmation,
  id,
  intParam,
  isoTimestamp,
  multiLine,
  requiredSearchText,
  requiredText,
  searchCoverage,
  singleLine,
  visible,
} from './wire.ts'

export const messageMaxLength = 16_000
/** Characters of the last message that the sidebar shows. */
export const previewLength = 30
export const messagePageSize = 60
/** How many chats a user can pin in one channel. */
export const maxPinnedChats = 10

export const replyState = z.enum(['streaming', 'complete', 'stopped', 'interrupted', 'failed'])

/**
 * How a reply was produced: written by a model, quoted from passages, or a refusal because the documents do not answer
 * the question.
 */
export const replyMode = z.enum(['model', 'extractive', 'refusal'])
export type ReplyMode = z.output<typeof replyMode>

export const chatMessage = z.object({
  _id: id,
  role: z.enum(['user', 'assistant', 'system']),
  content: z.string(),
  timestamp: isoTimestamp,
  /** Delivery status of a user message. */
  status: z.optional(z.enum(['sent', 'delivered', 'read'])),
  /** The files attached to a user message. Omitted when there are none. */
  attachments: z.optional(z.array(attachment)),
  /** This field and the following ones, except `versions`, are set for replies only. */
  state: z.optional(replyState),
  mode: z.optional(z.nullable(replyMode)),
  citations: z.optional(z.array(citation)),
  /** True if a model wrote the reply without using any of the channel's documents, although there are some. */
  isUngrounded: z.optional(z.boolean()),
  /** How many citations were removed because their passages do not support them. Omitted when none were. */
  removedCitations: z.optional(z.number()),
  /**
   * How many citations are shown although the model that should confirm them gave no verdict. Only for those who
   * administer the channel, and in the chat history. Omitted when there are none.
   */
  uncheckedCitations: z.optional(z.number()),
  /** The label that the channel requested and the model that answered. Only for those who administer the channel. */
  model: z.optional(z.nullable(z.object({ requested: z.string(), actual: z.string() }))),
  /** Why the reply failed, as a sentence. */
  error: z.optional(z.nullable(z.string())),
  /**
   * Why the channel could not answer, and would not now: trying again fails until an administrator has changed that.
   * Omitted otherwise.
   */
  setupProblem: z.optional(setupProblem),
  /** The channel could not answer when this was written, but may now. Omitted otherwise. */
  isMended: z.optional(z.boolean()),
  /**
   * The ids of all versions of this message or reply, oldest first. An attempt that failed without text counts only while
   * it is shown. Omitted when there is only one.
   */
  versions: z.optional(z.object({ ids: z.array(z.string()), current: z.number() })),
  feedback: z.optional(feedback),
  /** Whether an interrupted reply can be continued. */
  canContinue: z.optional(z.boolean()),
  /** The sequence number of the last event while the reply is running. */
  lastEvent: z.optional(z.number()),
})
export type ChatMessage = z.output<typeof chatMessage>

export const chat = z.object({
  _id: id,
  /** The name the user gave the chat, otherwise a title made from its first question. Null if there is neither. */
  title: z.nullable(z.string()),
  /** True while a model may still replace the title. */
  isTitlePending: z.optional(z.boolean()),
  /** Pinned chats come first in the list. Omitted when false, like the next field. */
  isPinned: z.optional(z.boolean()),
  /** Whether members of the channel can read the chat through a link. */
  isShared: z.optional(z.boolean()),
  /** Only the last message, shortened to a preview. Empty if the chat has no messages. */
  messages: z.array(z.object({ role: z.string(), content: z.string(), timestamp: isoTimestamp })),
  messageCount: z.number(),
  createdAt: isoTimestamp,
  updatedAt: isoTimestamp,
})
export type Chat = z.output<typeof chat>

/** How many recent chats the dashboard shows at most. */
export const maxRecentChats = 6

export const recentChat = z.object({
  chatId: id,
  channelId: id,
  channelName: z.string(),
  title: z.nullable(z.string()),
  updatedAt: isoTimestamp,
})
export type RecentChat = z.output<typeof recentChat>

export const conversation = z.object({
  chatId: id,
  title: z.nullable(z.string()),
  /** One page of the displayed messages (one version of each), oldest first. */
  messages: z.array(chatMessage),
  /** Cursor for the page of earlier messages: pass it as `before`. Null when there are none. */
  before: z.nullable(z.string()),
  total: z.number(),
})
export type Conversation = z.output<typeof conversation>

export const usage = z.object({
  inputTokens: z.nullable(z.number()),
  outputTokens: z.nullable(z.number()),
  /** True when the provider reported no usage and the numbers are our estimate. */
  estimated: z.boolean(),
})

const messageRequired = 'A message cannot be blank'
const messageText = requiredText(messageRequired).check(
  // Pasted text may contain NUL, which PostgreSQL cannot store.
  z.overwrite((text) => text.replaceAll('\0', '')),
  z.regex(visible, messageRequired),
  z.maxLength(messageMaxLength, `At most ${messageMaxLength} characters`),
)

export const messageInput = z.object({
  message: messageText,
  /** Uploaded files of the chat that are not sent yet. */
  attachmentIds: z.optional(attachmentIds),
})

/** An edited message keeps its files. */
export const editInput = z.object({ message: messageText })

const sequenced = { seq: z.number() }

/** The events of a reply, in order. `seq` starts at 1 for each reply. */
export const replyEvent = z.discriminatedUnion('type', [
  z.object({
    ...sequenced,
    type: z.literal('accepted'),
    message: z.nullable(chatMessage),
    reply: chatMessage,
  }),
  z.object({
    ...sequenced,
    type: z.literal('status'),
    status: z.enum(['searching', 'thinking', 'checking']),
  }),
  z.object({ ...sequenced, type: z.literal('delta'), text: z.string() }),
  z.object({ ...sequenced, type: z.literal('citation'), citation }),
  z.object({ ...sequenced, type: z.literal('done'), reply: chatMessage }),
  z.object({
    ...sequenced,
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
    embeddedParam: 'channelId',
    summary: 'List your chats in a channel: pinned ones first, each part most recently updated first',
    params: channelParams,
    query: z.object({ limit: z.optional(intParam(1, 500)), skip: z.optional(intParam(0, 10_000_000)) }),
    reply: z.object({ chats: z.array(chat), total: z.number(), totalPages: z.number() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Create a chat',
    params: channelParams,
    body: z.object({}),
    reply: chat,
  }),
  starters: endpoint({
    method: 'GET',
    path: '/chat/:channelId/starters',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Get up to three questions that an empty chat offers',
    params: channelParams,
    reply: z.object({ questions: z.array(z.string()) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Get the newest messages of a chat, or those before a cursor',
    params: chatParams,
    query: z.object({ limit: z._default(intParam(1, 200), messagePageSize), before: z.optional(id) }),
    reply: conversation,
  }),
  send: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages',
    access: 'signed-in',
    embeddedParam: 'channelId',
    limit: 'message',
    summary: 'Send a message; the reply is streamed as events or returned as JSON',
    params: chatParams,
    body: messageInput,
    reply: sentMessage,
    events: replyEvent,
  }),
  events: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/events',
    access: 'signed-in',
    embeddedParam: 'channelId',
    limit: 'stream',
    summary: 'Resume the events of a reply after a sequence number',
    params: messageParams,
    query: z.object({ after: z._default(intParam(0, 100_000_000), 0) }),
    reply: sentMessage,
    events: replyEvent,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/stop',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Stop a reply and keep the text so far',
    params: messageParams,
    reply: chatMessage,
  }),
  regenerate: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/regenerate',
    access: 'signed-in',
    embeddedParam: 'channelId',
    limit: 'message',
    summary: 'Regenerate a reply; the earlier one stays as a version',
    params: messageParams,
    reply: sentMessage,
    events: replyEvent,
  }),
  continue: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/continue',
    access: 'signed-in',
    embeddedParam: 'channelId',
    limit: 'message',
    summary: 'Continue an interrupted reply; the interrupted one stays as a version',
    params: messageParams,
    reply: sentMessage,
    events: replyEvent,
  }),
  showVersion: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/show',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Switch to another version of a message and the messages that follow it',
    params: messageParams,
    reply: conversation,
  }),
  rate: endpoint({
    method: 'PUT',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/feedback',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Rate a reply, or remove the rating',
    params: messageParams,
    body: z.object({
      rating: z.nullable(z.enum(['good', 'bad'])),
      reason: z._default(z.nullable(z.enum(feedbackReasons)), null),
      comment: z._default(multiLine(feedbackCommentMaxLength), ''),
    }),
    reply: chatMessage,
  }),
  edit: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/messages/:messageId/edit',
    access: 'signed-in',
    embeddedParam: 'channelId',
    limit: 'message',
    summary: 'Edit a message and send it again',
    params: messageParams,
    body: editInput,
    reply: sentMessage,
    events: replyEvent,
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/chat/:channelId/chats/:chatId',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Rename a chat',
    params: chatParams,
    body: z.object({ title: singleLine(120, 'Title is required') }),
    reply: chat,
  }),
  pin: endpoint({
    method: 'PUT',
    path: '/chat/:channelId/chats/:chatId/pin',
    access: 'signed-in',
    summary: 'Pin a chat to the top of the list, or unpin it',
    params: chatParams,
    body: z.object({ isPinned: z.boolean() }),
    reply: chat,
  }),
  export: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/export',
    access: 'signed-in',
    limit: 'history',
    summary: 'Export a whole chat',
    params: chatParams,
    query: z.object({ format: z._default(z.enum(['markdown', 'json']), 'markdown') }),
    reply: 'file',
    contentTypes: ['text/markdown', 'application/json'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/chat/:channelId/chats/:chatId',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Delete a chat',
    params: chatParams,
    reply: confirmation,
  }),
  recent: endpoint({
    method: 'GET',
    path: '/chat/recent',
    access: 'signed-in',
    summary: 'List the chats that you used last, in all channels',
    reply: z.object({ chats: z.array(recentChat) }),
  }),
  search: endpoint({
    method: 'GET',
    path: '/chat/search',
    access: 'signed-in',
    summary: 'Search the titles and all message versions of your chats',
    isHeavy: true,
    query: z.object({
      q: requiredSearchText,
      channelId: z.optional(id),
      limit: z._default(intParam(1, 100), 20),
      skip: z._default(intParam(0, 10_000), 0),
    }),
    reply: z.object({
      items: z.array(
        z.object({
          chatId: id,
          channelId: id,
          channelName: z.string(),
          /** Null when the chat's title matches. */
          messageId: z.nullable(id),
          role: z.nullable(z.enum(['user', 'assistant'])),
          title: z.nullable(z.string()),
          excerpt: z.string(),
          timestamp: isoTimestamp,
        }),
      ),
      total: z.number(),
      totalPages: z.number(),
      ...searchCoverage,
    }),
  }),
} as const
