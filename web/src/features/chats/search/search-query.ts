import { chatsApi } from '@lyceum/contract/chats'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Enough for several chats, although only a few results of each are shown at first. */
const pageSize = 60

export type SearchResult = ReplyOf<typeof chatsApi.search>['items'][number]

/** Search results in the user's own chats, in pages. Disabled for an empty text. */
export function chatSearchQuery(text: string, channelId: string | null) {
  return infiniteQueryOptions({
    queryKey: ['chat-search', text, channelId],
    queryFn: ({ pageParam, signal }) =>
      call(
        chatsApi.search,
        {
          query: {
            q: text,
            limit: pageSize,
            skip: pageParam,
            ...(channelId === null ? {} : { channelId }),
          },
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, { items }) => sum + items.length, 0)
      return last.items.length > 0 && loaded < last.total ? loaded : undefined
    },
    enabled: text !== '',
    // Show the previous results while the next search runs.
    placeholderData: keepPreviousData,
    select: ({ pages }) => ({
      items: pages.flatMap(({ items }) => items),
      total: pages[0]?.total ?? 0,
    }),
  })
}
