import { type SharedChat, sharedChatsApi } from '@lyceum/contract/shared-chats'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { loadFormulasFor } from '../queries.ts'

const sharedPageSize = 200

/** The link of one's own chat. */
export function shareQuery(channelId: string, chatId: string) {
  return queryOptions({
    queryKey: ['chat-share', channelId, chatId],
    queryFn: ({ signal }) => call(sharedChatsApi.get, { params: { channelId, chatId } }, { signal }),
    staleTime: 0,
  })
}

/** A chat that another member shared. The first page has the last messages. */
export function sharedChatQuery(channelId: string, shareId: string) {
  return infiniteQueryOptions({
    queryKey: ['shared-chat', channelId, shareId],
    queryFn: async ({ pageParam, signal }): Promise<SharedChat> => {
      const page = await call(
        sharedChatsApi.read,
        {
          params: { channelId, shareId },
          query: { limit: sharedPageSize, ...(pageParam === null ? {} : { before: pageParam }) },
        },
        { signal },
      )
      await loadFormulasFor(page)
      return page
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
  })
}

export function sharedChatPath(channelId: string, shareId: string): string {
  return `/channels/${encodeURIComponent(channelId)}/shared/${encodeURIComponent(shareId)}`
}
