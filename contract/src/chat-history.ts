import * as z from 'zod/mini'
import { chatMessage } from './chats.ts'
import { endpoint } from './endpoint.ts'
import { count, id, idParams, instant, searched, searchWords } from './wire.ts'

const historyPageSizeDefault = 20
/** How many messages an export holds at most; the file says when it was cut. */
export const exportedMessagesMaximum = 50_000

export const historyItem = z.object({
  _id: id,
  /** Of somebody who was deleted only 'Deleted user' is left, and no address. */
  user: z.object({ _id: z.optional(z.string()), name: z.string(), email: z.string() }),
  channel: z.object({ _id: z.optional(z.string()), name: z.string() }),
  title: z.nullable(z.string()),
  messageCount: z.number(),
  createdAt: instant,
  updatedAt: instant,
})
export type HistoryItem = z.output<typeof historyItem>

/** A message as the administration reads it: all of the active path, whoever said it. */
export const historyMessage = z.pick(chatMessage, {
  _id: true,
  role: true,
  content: true,
  timestamp: true,
  state: true,
  mode: true,
  citations: true,
})

export const historyDetail = z.extend(historyItem, {
  /** Oldest first, one page of them: the newest unless `before` was given. */
  messages: z.array(historyMessage),
  /** Pass as `before` for the messages above; null at the beginning. */
  before: z.nullable(z.string()),
})
export type HistoryDetail = z.output<typeof historyDetail>

const momentForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A day (in UTC) or an instant with its zone. */
const moment = z
  .string()
  .check(z.refine((text) => momentForm.test(text) && !Number.isNaN(Date.parse(text)), 'Invalid date'))

export const historyFilters = z.object({
  userId: z.optional(id),
  channelId: z.optional(id),
  chatId: z.optional(id),
  /** Bounds of the chat's beginning, both included; a day ends with its last moment. */
  startDate: z.optional(moment),
  endDate: z.optional(moment),
  /** In messages, in titles, in people's names and addresses. */
  search: z.optional(searchWords),
  limit: z._default(count(1, 100), historyPageSizeDefault),
  skip: z._default(count(0, 10_000_000), 0),
  sortBy: z._default(z.enum(['createdAt', 'updatedAt', 'messageCount']), 'createdAt'),
  sortOrder: z._default(z.enum(['asc', 'desc']), 'desc'),
})
export type HistoryFilters = z.output<typeof historyFilters>

const histories = z.object({
  chatHistories: z.array(historyItem),
  total: z.number(),
  totalPages: z.number(),
  ...searched,
})
const summary = { chatCount: z.number(), messageCount: z.number(), lastActivityAt: z.nullable(instant) }
const summaryPage = { limit: z._default(count(1, 100), 20), skip: z._default(count(0, 10_000_000), 0) }

export const chatHistoryApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/chat-histories',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'Everyone’s chats, filtered',
    query: historyFilters,
    reply: histories,
  }),
  ofUser: endpoint({
    method: 'GET',
    path: '/admin/users/:id/chat-histories',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'One person’s chats',
    params: idParams,
    query: historyFilters,
    reply: histories,
  }),
  ofChannel: endpoint({
    method: 'GET',
    path: '/admin/channels/:id/chat-histories',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'One channel’s chats',
    params: idParams,
    query: historyFilters,
    reply: histories,
  }),
  search: endpoint({
    method: 'GET',
    path: '/admin/chat-histories/search',
    access: 'canSearchChatHistory',
    limit: 'history',
    summary: 'Search everyone’s chats',
    query: z.extend(historyFilters, {
      search: searchWords.check(z.minLength(1, 'What to look for is required')),
    }),
    reply: histories,
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/chat-histories/export',
    access: 'canExportChatHistory',
    limit: 'export',
    summary: 'Everyone’s chats as a file',
    query: z.extend(historyFilters, { format: z._default(z.enum(['csv', 'jsonl']), 'csv') }),
    reply: 'file',
  }),
  get: endpoint({
    method: 'GET',
    path: '/admin/chat-histories/:id',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'One chat with its messages',
    params: idParams,
    query: z.object({ limit: z._default(count(1, 200), 100), before: z.optional(id) }),
    reply: historyDetail,
  }),
  userSummaries: endpoint({
    method: 'GET',
    path: '/admin/chat-summaries/users',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'Chats and messages per person',
    query: z.object(summaryPage),
    reply: z.object({
      items: z.array(z.object({ user: historyItem.shape.user, ...summary })),
      total: z.number(),
      totalPages: z.number(),
    }),
  }),
  channelSummaries: endpoint({
    method: 'GET',
    path: '/admin/chat-summaries/channels',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'Chats and messages per channel',
    query: z.object(summaryPage),
    reply: z.object({
      items: z.array(z.object({ channel: historyItem.shape.channel, ...summary })),
      total: z.number(),
      totalPages: z.number(),
    }),
  }),
} as const
