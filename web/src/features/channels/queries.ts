import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Everything the viewer may see: one's channels, for administrators all of them. */
export const channelsQuery = () =>
  queryOptions({
    queryKey: ['channels'],
    queryFn: async ({ signal }): Promise<Channel[]> => {
      const reply = await call(channelsApi.list, {}, { signal })
      return Array.isArray(reply) ? reply : reply.items
    },
  })

/** The channels one chats in. Administrators see others too, which only the administration shows. */
export const isOwnChannel = (channel: Channel): boolean => channel.isMember !== false

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['channels', id],
    queryFn: ({ signal }) => call(channelsApi.get, { params: { id } }, { signal }),
  })
