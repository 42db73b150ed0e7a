import { chatsApi } from '@lyceum/contract/chats'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '#api/call.ts'

const pageSize = 20

export type Found = ReplyOf<typeof chatsApi.search>['items'][number]

/** Where in one's own chats a text is found, a page at a time. Asks nothing while there is nothing to look for. */
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
    // While another word is looked for, what was found last stays in its place.
    placeholderData: keepPreviousData,
    select: ({ pages }) => ({
      items: pages.flatMap(({ items }) => items),
      total: pages[0]?.total ?? 0,
    }),
  })
}
