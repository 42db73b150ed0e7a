import * as z from 'zod/mini'
import { chatMessage } from './chats.ts'
import { endpoint } from './endpoint.ts'
import {
  id,
  idParams,
  intParam,
  isoTimestamp,
  requiredSearchText,
  searchCoverage,
  searchText,
} from './wire.ts'

const historyPageSizeDefault = 20
/** Maximum number of messages in an export. A truncated file says that it is incomplete. */
export const exportedMessagesMaximum = 50_000

/** Characters of a chat's first question in lists of chats. */
export const questionPreviewMaximum = 200

export const historyItem = z.object({
  _id: id,
  /** A deleted user is shown as 'Deleted user', without an email. A visitor has none either. */
  user: z.object({ _id: z.optional(z.string()), name: z.string(), email: z.string() }),
  channel: z.object({ _id: z.optional(z.string()), name: z.string() }),
  title: z.nullable(z.string()),
  /** The beginning of the first question, up to `questionPreviewMaximum` characters. Omitted if there is none. */
  firstQuestion: z.optional(z.string()),
  messageCount: z.number(),
  createdAt: isoTimestamp,
  updatedAt: isoTimestamp,
})
export type HistoryItem = z.output<typeof historyItem>

/** A message as administrators see it. */
export const historyMessage = z.pick(chatMessage, {
  _id: true,
  role: true,
  content: true,
  timestamp: true,
  state: true,
  mode: true,
  citations: true,
  attachments: true,
  isUngrounded: true,
  removedCitations: true,
  uncheckedCitations: true,
})

export const historyDetail = z.extend(historyItem, {
  /**
   * One page of the displayed messages (one version of each), oldest first: the newest page unless the query asks for
   * another.
   */
  messages: z.array(historyMessage),
  /** Cursor for the page of earlier messages: pass it as `before`. Null when there are none. */
  before: z.nullable(z.string()),
  /** Cursor for the page of later messages: pass it as `after`. Null when there are none. Omitted with `before`. */
  after: z.optional(z.nullable(z.string())),
})
export type HistoryDetail = z.output<typeof historyDetail>

const dateOrTimestampPattern =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A day in UTC, or a timestamp with its time zone. */
const dateOrTimestamp = z.string().check(
  z.regex(dateOrTimestampPattern, 'Invalid date'),
  z.refine((text) => !Number.isNaN(Date.parse(text)), 'Invalid date'),
)

export const historyFilters = z.object({
  userId: z.optional(id),
  channelId: z.optional(id),
  chatId: z.optional(id),
  /** Range of the chat's `createdAt`, both ends included. An end date without a time includes that whole day. */
  startDate: z.optional(dateOrTimestamp),
  endDate: z.optional(dateOrTimestamp),
  /** Leaves out chats without messages. */
  empty: z.optional(z.enum(['hide'])),
  /** Matches messages, titles, and names and emails of users. */
  search: z.optional(searchText),
  limit: z._default(intParam(1, 100), historyPageSizeDefault),
  skip: z._default(intParam(0, 10_000_000), 0),
  sortBy: z._default(z.enum(['createdAt', 'updatedAt', 'messageCount']), 'createdAt'),
  sortOrder: z._default(z.enum(['asc', 'desc']), 'desc'),
})
export type HistoryFilters = z.output<typeof historyFilters>

const historyPage = z.object({
  chatHistories: z.array(historyItem),
  total: z.number(),
  totalPages: z.number(),
  ...searchCoverage,
})
const summaryCounts = {
  chatCount: z.number(),
  messageCount: z.number(),
  lastActivityAt: z.nullable(isoTimestamp),
}
const summaryPaging = {
  limit: z._default(intParam(1, 100), 20),
  skip: z._default(intParam(0, 10_000_000), 0),
}

export const chatHistoryApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/chat-histories',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'List the chats of all users',
    query: historyFilters,
    reply: historyPage,
  }),
  listForUser: endpoint({
    method: 'GET',
    path: '/admin/users/:id/chat-histories',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'List the chats of one user',
    params: idParams,
    query: historyFilters,
    reply: historyPage,
  }),
  listForChannel: endpoint({
    method: 'GET',
    path: '/admin/channels/:id/chat-histories',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'List the chats of one channel',
    params: idParams,
    query: historyFilters,
    reply: historyPage,
  }),
  search: endpoint({
    method: 'GET',
    path: '/admin/chat-histories/search',
    access: 'canSearchChatHistory',
    limit: 'history',
    summary: 'Search the chats of all users',
    query: z.extend(historyFilters, {
      search: requiredSearchText,
    }),
    reply: historyPage,
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/chat-histories/export',
    access: 'canExportChatHistory',
    limit: 'export',
    summary: 'Export the chats of all users',
    query: z.extend(historyFilters, { format: z._default(z.enum(['csv', 'jsonl']), 'csv') }),
    reply: 'file',
    contentTypes: ['text/csv', 'application/x-ndjson'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/admin/chat-histories/:id',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'Get a chat with its messages',
    params: idParams,
    query: z.object({
      limit: z._default(intParam(1, 200), 100),
      before: z.optional(id),
      /** The id of a message, or `start` for the first page. */
      after: z.optional(id),
    }),
    reply: historyDetail,
  }),
  userSummaries: endpoint({
    method: 'GET',
    path: '/admin/chat-summaries/users',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'Count chats and messages per user',
    query: z.object(summaryPaging),
    reply: z.object({
      items: z.array(z.object({ user: historyItem.shape.user, ...summaryCounts })),
      total: z.number(),
      totalPages: z.number(),
    }),
  }),
  channelSummaries: endpoint({
    method: 'GET',
    path: '/admin/chat-summaries/channels',
    access: 'canViewChatHistory',
    limit: 'history',
    summary: 'Count chats and messages per channel',
    query: z.object(summaryPaging),
    reply: z.object({
      items: z.array(z.object({ channel: historyItem.shape.channel, ...summaryCounts })),
      total: z.number(),
      totalPages: z.number(),
    }),
  }),
} as const
