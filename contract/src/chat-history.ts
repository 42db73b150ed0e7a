import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { count, id, idParams, instant } from './wire.ts'

const historyPageSizeDefault = 20

export const historyItem = z.object({
  _id: id,
  user: z.object({ _id: z.optional(z.string()), name: z.string(), email: z.string() }),
  channel: z.object({ _id: z.optional(z.string()), name: z.string() }),
  messageCount: z.number(),
  createdAt: instant,
  updatedAt: instant,
})

export const historyDetail = z.extend(historyItem, {
  messages: z.array(
    z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.string(), timestamp: instant }),
  ),
  /** Pass as `before` for the messages above; null at the beginning. */
  before: z.nullable(z.string()),
})

export const historyFilters = z.object({
  userId: z.optional(id),
  channelId: z.optional(id),
  chatId: z.optional(id),
  startDate: z.optional(instant),
  endDate: z.optional(instant),
  search: z.optional(z.string().check(z.maxLength(200))),
  limit: z._default(count(1, 100), historyPageSizeDefault),
  skip: z._default(count(0, 10_000_000), 0),
  sortBy: z._default(z.enum(['createdAt', 'updatedAt', 'messageCount']), 'createdAt'),
  sortOrder: z._default(z.enum(['asc', 'desc']), 'desc'),
})

const histories = z.object({ chatHistories: z.array(historyItem), total: z.number(), totalPages: z.number() })
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
    query: historyFilters,
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
