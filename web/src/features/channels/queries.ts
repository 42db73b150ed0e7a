import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The key that all queries about channels begin with. */
export const channelsKey = ['channels'] as const

/** Everything the viewer may see: one's channels, for administrators all of them. */
export function channelsQuery() {
  return queryOptions({
    queryKey: channelsKey,
    queryFn: async ({ signal }): Promise<Channel[]> => {
      const reply = await call(channelsApi.list, {}, { signal })
      return Array.isArray(reply) ? reply : reply.items
    },
  })
}

/** The channels one chats in. Administrators see others too, which only the administration shows. */
export function isOwnChannel(channel: Channel): boolean {
  return channel.isMember !== false
}

export function channelQuery(id: string) {
  return queryOptions({
    queryKey: [...channelsKey, id],
    queryFn: ({ signal }) => call(channelsApi.get, { params: { id } }, { signal }),
  })
}

/** One channel with what it holds right now: what would go with it. */
export function channelContentsQuery(id: string) {
  return queryOptions({
    queryKey: ['channel-contents', id],
    queryFn: ({ signal }) => call(channelsApi.get, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What changes when a channel's picture does, whatever form its place has; null where there is none. */
function wallpaperVersion({ wallpaper }: Pick<Channel, 'wallpaper'>): string | null {
  return typeof wallpaper === 'object' && wallpaper !== null
    ? `${wallpaper.storageType}:${wallpaper.s3Key ?? ''}`
    : wallpaper
}

/** The picture behind a channel's chats, or null. A failure is none, without a word. */
export function wallpaperQuery(channel: Pick<Channel, '_id' | 'wallpaper'> | undefined) {
  const version = channel === undefined ? null : wallpaperVersion(channel)
  const id = channel?._id ?? ''
  return queryOptions({
    queryKey: ['wallpaper', id, version],
    queryFn: async ({ signal }): Promise<Blob | null> => {
      const image = await call(channelsApi.wallpaper, { params: { id } }, { signal })
      return image.size > 0 && image.type.startsWith('image/') ? image : null
    },
    enabled: version !== null && version !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  })
}

const membersPerPage = 20

/** A page of a channel's members, from 1. */
export function memberPageQuery(id: string, page: number, search: string) {
  return queryOptions({
    queryKey: [...channelsKey, id, 'members', { page, search }],
    queryFn: ({ signal }) => {
      const query = {
        limit: membersPerPage,
        skip: (page - 1) * membersPerPage,
        ...(search === '' ? {} : { search }),
      }
      return call(channelsApi.members, { params: { id }, query }, { signal })
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

const channelsPerPage = 20

/** A page of what the administration lists, from 1. */
export function channelPageQuery(page: number, search: string) {
  return queryOptions({
    queryKey: [...channelsKey, 'page', { page, search }],
    queryFn: async ({ signal }) => {
      const query = {
        limit: channelsPerPage,
        skip: (page - 1) * channelsPerPage,
        ...(search === '' ? {} : { search }),
      }
      const reply = await call(channelsApi.list, { query }, { signal })
      return Array.isArray(reply) ? { items: reply, total: reply.length, totalPages: 1 } : reply
    },
    placeholderData: keepPreviousData,
  })
}
