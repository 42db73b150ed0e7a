import { embeddingApi } from '@lyceum/contract/embedding'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** How often the frame checks whether visitors can start again. */
const usedUpPollMs = 60_000

/** What anyone may know about a channel that is used on other sites. */
export function embeddedChannelQuery(channelId: string) {
  return queryOptions({
    queryKey: ['embedded-channel', channelId],
    queryFn: ({ signal }) => call(embeddingApi.describe, { params: { channelId } }, { signal }),
    // The limit resets, or an administrator raises it.
    refetchInterval: ({ state }) => (state.data?.usedUp === undefined ? false : usedUpPollMs),
    meta: { quiet: true },
  })
}

/** The questions that visitors can start with. Not tried again, because the frame waits for them. */
export function visitorStartersQuery(channelId: string) {
  return queryOptions({
    queryKey: ['embedded-channel', channelId, 'starters'],
    queryFn: async ({ signal }) =>
      (await call(embeddingApi.starters, { params: { channelId } }, { signal })).questions,
    retry: false,
    meta: { quiet: true },
  })
}

/** On which other sites a channel can be used. A form must start with the current values. */
export function embeddingQuery(id: string) {
  return queryOptions({
    queryKey: ['embedding', id],
    queryFn: ({ signal }) => call(embeddingApi.get, { params: { id } }, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}
