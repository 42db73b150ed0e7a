import { type Chat, chatsApi, messagePageSize } from '@lyceum/contract/chats'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { rowsToFill } from './messages/first-rows.ts'
import { loadFormulas } from './reply/load-katex.ts'
import { containsMaths } from './reply/spans.ts'
import { type Thread, withLastPage } from './thread.ts'

const chatPageSize = 50

export function chatsKey(channelId: string) {
  return ['chats', channelId] as const
}

/** One's chats in a channel, newest update first, a page at a time. */
export function chatsQuery(channelId: string) {
  return infiniteQueryOptions({
    queryKey: chatsKey(channelId),
    queryFn: ({ pageParam, signal }) =>
      call(
        chatsApi.list,
        { params: { channelId }, query: { limit: chatPageSize, skip: pageParam } },
        { signal },
      ),
    // Loaded anew when the line is back by use-line.ts, which also knows of a server that was away.
    refetchOnReconnect: false,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, { chats }) => sum + chats.length, 0)
      return last.chats.length > 0 && loaded < last.total ? loaded : undefined
    },
    // A chat that moved up between two pages would otherwise be there twice.
    select: ({ pages }): Chat[] => [
      ...new Map(pages.flatMap(({ chats }) => chats).map((chat) => [chat._id, chat])).values(),
    ],
  })
}

function haveMaths(messages: Thread['messages']): boolean {
  return messages.some(({ role, content }) => role === 'assistant' && containsMaths(content))
}

/** Formulas that are typeset after their message was first shown would push the rest of the chat about. */
export async function readyForMaths({ messages }: Pick<Thread, 'messages'>): Promise<void> {
  if (haveMaths(messages)) await loadFormulas()
}

/** The last messages do not wait for the formulas of those above, which are drawn after them. */
function readyForFirstLook({ messages }: Pick<Thread, 'messages'>): Promise<void> {
  if (haveMaths(messages)) void loadFormulas()
  return readyForMaths({ messages: messages.slice(-rowsToFill(messages, innerHeight)) })
}

/** The key that the threads of a channel begin with. */
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
      if (known === undefined) await readyForFirstLook(page)
      return withLastPage(known, page)
    },
  })
}

/** Changes what is shown of a chat. A load under way is given up, since it would bring back what was before. */
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

export function quotaLeftKey(channelId: string) {
  return ['quota-left', channelId] as const
}

export function refreshChat(client: QueryClient, channelId: string, chatId: string): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: threadKey(channelId, chatId) }),
    client.invalidateQueries({ queryKey: chatsKey(channelId) }),
    client.invalidateQueries({ queryKey: quotaLeftKey(channelId) }),
  ])
}
