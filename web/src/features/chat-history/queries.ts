import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { loadFormulasFor } from '#features/chats/queries.ts'
import { endOfLocalDay, startOfLocalDay } from '#lib/date-time.ts'
import type { HistoryView } from './use-history-view.ts'

/** The server's maximum, because each request for a page is logged and rate-limited. */
const messagesPerPage = 200
/** Fewer, so that a slow phone shows the first messages sooner. */
const messagesInFirstPage = 60
const messagesInDetails = 6
const recentChatCount = 5

// Every request is recorded in the audit log: never refetch automatically, and cache nothing.
const auditedQueryOptions = {
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
} as const

/** Converts a view to the filters of the API. */
export function toFilters(view: HistoryView) {
  return {
    ...(view.search === '' ? {} : { search: view.search }),
    ...(view.userId === null ? {} : { userId: view.userId }),
    ...(view.channelId === null ? {} : { channelId: view.channelId }),
    ...(view.chatId === '' ? {} : { chatId: view.chatId }),
    ...(view.from === null ? {} : { startDate: startOfLocalDay(view.from) }),
    ...(view.to === null ? {} : { endDate: endOfLocalDay(view.to) }),
    ...(view.hidesEmpty ? { empty: 'hide' as const } : {}),
    sortBy: view.sortBy,
    sortOrder: view.sortOrder,
  }
}

function toPage({ page, pageSize }: Pick<HistoryView, 'page' | 'pageSize'>) {
  return {
    limit: pageSize,
    skip: (page - 1) * pageSize,
  }
}

export function historyPageQuery(view: HistoryView) {
  const query = { ...toFilters(view), ...toPage(view) }
  return queryOptions({
    queryKey: ['chat-histories', query],
    queryFn: async ({ signal }) => {
      const { chatHistories, ...page } = await call(chatHistoryApi.list, { query }, { signal })
      return { ...page, items: chatHistories }
    },
    placeholderData: keepPreviousData,
    ...auditedQueryOptions,
  })
}

/** The user's chats with messages that changed last. */
export function recentChatsQuery(userId: string) {
  const query = { limit: recentChatCount, empty: 'hide', sortBy: 'updatedAt', sortOrder: 'desc' } as const
  return queryOptions({
    queryKey: ['chat-histories', 'recent', userId],
    queryFn: ({ signal }) => call(chatHistoryApi.listForUser, { params: { id: userId }, query }, { signal }),
    ...auditedQueryOptions,
  })
}

export function userSummariesQuery(view: HistoryView) {
  const query = toPage(view)
  return queryOptions({
    queryKey: ['chat-summaries', 'users', query],
    queryFn: ({ signal }) => call(chatHistoryApi.userSummaries, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...auditedQueryOptions,
  })
}

export function channelSummariesQuery(view: HistoryView) {
  const query = toPage(view)
  return queryOptions({
    queryKey: ['chat-summaries', 'channels', query],
    queryFn: ({ signal }) => call(chatHistoryApi.channelSummaries, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...auditedQueryOptions,
  })
}

/** A chat with its last messages. */
export function historyDetailsQuery(id: string) {
  return queryOptions({
    queryKey: ['chat-history', id, 'details'],
    queryFn: async ({ signal }) => {
      const query = { limit: messagesInDetails }
      const page = await call(chatHistoryApi.get, { params: { id }, query }, { signal })
      await loadFormulasFor(page)
      return page
    },
    ...auditedQueryOptions,
  })
}

/** A whole chat. The first messages are loaded first. */
export function historyFromStartQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['chat-history', id, 'messages', 'start'],
    queryFn: async ({ pageParam, signal }) => {
      const limit = pageParam === 'start' ? messagesInFirstPage : messagesPerPage
      const query = { limit, after: pageParam }
      const page = await call(chatHistoryApi.get, { params: { id }, query }, { signal })
      await loadFormulasFor(page)
      return page
    },
    initialPageParam: 'start',
    getNextPageParam: ({ after }) => after,
    ...auditedQueryOptions,
  })
}

/** A whole chat. The last messages are loaded first. */
export function historyFromEndQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['chat-history', id, 'messages', 'end'],
    queryFn: async ({ pageParam, signal }) => {
      const query =
        pageParam === '' ? { limit: messagesInFirstPage } : { limit: messagesPerPage, before: pageParam }
      const page = await call(chatHistoryApi.get, { params: { id }, query }, { signal })
      await loadFormulasFor(page)
      return page
    },
    initialPageParam: '',
    getNextPageParam: ({ before }) => before,
    ...auditedQueryOptions,
  })
}
