import { chatsApi } from '@lyceum/contract/chats'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'

/** The questions that an empty chat offers. Refetched with the channel, whose settings contain some of them. */
export function startersQuery(channelId: string) {
  return queryOptions({
    queryKey: [...channelsKey, channelId, 'starters'],
    queryFn: async ({ signal }) =>
      (await call(chatsApi.starters, { params: { channelId } }, { signal })).questions,
    meta: { quiet: true },
  })
}
