import { type Chat, type ChatMessage, chatsApi, messagePageSize } from '@lyceum/contract/chats'
import { quotasApi } from '@lyceum/contract/quotas'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { countRowsToFill } from './messages/rows-to-fill.ts'
import { loadFormulas } from './reply/load-katex.ts'
import { containsMaths } from './reply/spans.ts'
import { type Thread, withLastPage } from './thread.ts'

const chatPageSize = 50
const titlePollMs = 2000
/** How often the screen checks whether messages can be sent again. */
const exhaustedPollMs = 60_000

export function chatsKey(channelId: string) {
  return ['chats', channelId] as const
}

/** The chats that the user used last, in all channels. */
export function recentChatsQuery() {
  return queryOptions({
    queryKey: ['recent-chats'],
    queryFn: ({ signal }) => call(chatsApi.recent, {}, { signal }),
    staleTime: 0,
    // The dashboard is complete without it.
    meta: { quiet: true },
  })
}

/** The user's chats in a channel, last updated first, in pages. */
export function chatsQuery(channelId: string) {
  return infiniteQueryOptions({
    queryKey: chatsKey(channelId),
    queryFn: ({ pageParam, signal }) =>
      call(
        chatsApi.list,
        { params: { channelId }, query: { limit: chatPageSize, skip: pageParam } },
        { signal },
      ),
    // ConnectionBanner.tsx reloads the list: it also detects an unreachable server, which this option does not.
    refetchOnReconnect: false,
    // Until the model's title arrives. The server ends the wait.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ chats }) => chats.some(({ isTitlePending }) => isTitlePending)) === true
        ? titlePollMs
        : false,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, { chats }) => sum + chats.length, 0)
      return last.chats.length > 0 && loaded < last.total ? loaded : undefined
    },
    // A chat that moves up between two page loads is on both pages.
    select: ({ pages }): Chat[] => [
      ...new Map(pages.flatMap(({ chats }) => chats).map((chat) => [chat._id, chat])).values(),
    ],
  })
}

type MessageText = Pick<ChatMessage, 'role' | 'content'>

function containFormulas(messages: readonly MessageText[]): boolean {
  return messages.some(({ role, content }) => role === 'assistant' && containsMaths(content))
}

/** Loads the formula renderer first: formulas typeset after the first paint would move the rest of the chat. */
export async function loadFormulasFor({ messages }: { messages: readonly MessageText[] }): Promise<void> {
  if (containFormulas(messages)) await loadFormulas()
}

/** Waits only for the formulas of the messages that fill the view. */
function loadVisibleFormulas({ messages }: Pick<Thread, 'messages'>): Promise<void> {
  return loadFormulasFor({ messages: messages.slice(-countRowsToFill(messages)) })
}

/** Key prefix of all threads of a channel. */
export function threadsKey(channelId: string) {
  return ['thread', channelId] as const
}

export function threadKey(channelId: string, chatId: string) {
  return [...threadsKey(channelId), chatId] as const
}

export function threadQuery(channelId: string, chatId: string) {
  return queryOptions({
    queryKey: threadKey(channelId, chatId),
    refetchOnReconnect: false,
    queryFn: async ({ client, queryKey, signal }): Promise<Thread> => {
      const params = { channelId, chatId }
      const page = await call(chatsApi.get, { params, query: { limit: messagePageSize } }, { signal })
      const known = client.getQueryData<Thread>(queryKey)
      if (known === undefined) await loadVisibleFormulas(page)
      return withLastPage(known, page)
    },
  })
}

/** Edits the cached chat. A running request is cancelled, because its response would overwrite the edit. */
export async function editThread(
  client: QueryClient,
  channelId: string,
  chatId: string,
  edit: (thread: Thread) => Thread,
): Promise<void> {
  const queryKey = threadKey(channelId, chatId)
  if (client.getQueryData(queryKey) === undefined) return
  await client.cancelQueries({ queryKey })
  client.setQueryData<Thread>(queryKey, (thread) => thread && edit(thread))
}

/** What is left of the limits that apply to the user in a channel. Null without a limit. */
export const quotaLeftKey = ['quota-left'] as const

export function quotaLeftQuery(channelId: string) {
  return queryOptions({
    queryKey: [...quotaLeftKey, channelId] as const,
    queryFn: async ({ signal }) =>
      (await call(quotasApi.getRemaining, { params: { channelId } }, { signal })).left,
    // The limit resets, or an administrator raises it.
    refetchInterval: ({ state }) => (state.data?.left === 0 ? exhaustedPollMs : false),
    meta: { quiet: true },
  })
}

export function refreshChat(client: QueryClient, channelId: string, chatId: string): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: threadKey(channelId, chatId) }),
    client.invalidateQueries({ queryKey: chatsKey(channelId) }),
    client.invalidateQueries({ queryKey: quotaLeftQuery(channelId).queryKey }),
  ])
}
