import { analyticsApi } from '@lyceum/contract/analytics'
import { type ArchivedFilter, type Channel, channelsApi } from '@lyceum/contract/channels'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { sortByName } from './find-channels.ts'

/** Key prefix of all channel queries. */
export const channelsKey = ['channels'] as const

/** The user's own channels; for administrators, all channels. Archived ones are left out. */
export function channelsQuery() {
  return queryOptions({
    queryKey: channelsKey,
    queryFn: async ({ signal }): Promise<Channel[]> => {
      const response = await call(channelsApi.list, {}, { signal })
      return sortByName(Array.isArray(response) ? response : response.items)
    },
  })
}

/** Like `channelsQuery`, with the archived channels, whose documents and chats still exist. */
export function channelsWithArchivedQuery() {
  return queryOptions({
    queryKey: [...channelsKey, 'with-archived'],
    queryFn: async ({ signal }): Promise<Channel[]> => {
      const response = await call(channelsApi.list, { query: { archived: 'include' } }, { signal })
      return sortByName(Array.isArray(response) ? response : response.items)
    },
  })
}

/** Whether the user is a member. Administrators also receive other channels, which only the admin area shows. */
export function isOwnChannel(channel: Channel): boolean {
  return channel.isMember !== false
}

export function channelQuery(id: string) {
  return queryOptions({
    queryKey: [...channelsKey, id],
    queryFn: ({ signal }) => call(channelsApi.get, { params: { id } }, { signal }),
  })
}

/** One channel with up-to-date counts of what would be deleted with it. */
export function channelContentsQuery(id: string) {
  return queryOptions({
    queryKey: ['channel-contents', id],
    queryFn: ({ signal }) => call(channelsApi.get, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What checking the citations of a channel took. The form works without it, so failures are only logged. */
export function checkUsageQuery(id: string) {
  return queryOptions({
    queryKey: [...channelsKey, id, 'check-usage'],
    queryFn: ({ signal }) => call(analyticsApi.checkUsage, { params: { id } }, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })
}

/** A value that changes with the channel's wallpaper; null if there is none. */
function getWallpaperVersion({ wallpaper }: Pick<Channel, 'wallpaper'>): string | null {
  return typeof wallpaper === 'object' && wallpaper !== null
    ? `${wallpaper.storageType}:${wallpaper.s3Key ?? ''}`
    : wallpaper
}

/** The wallpaper of a channel, or null. A failure counts as no wallpaper and is only logged. */
export function wallpaperQuery(channel: Pick<Channel, '_id' | 'wallpaper'> | undefined) {
  const version = channel === undefined ? null : getWallpaperVersion(channel)
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

/** One page of a channel's members. Pages start at 1. */
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

/** One page of all channels, for the admin area. Pages start at 1. */
export function channelPageQuery(page: number, search: string, archived: ArchivedFilter) {
  return queryOptions({
    queryKey: [...channelsKey, 'page', { page, search, archived }],
    queryFn: async ({ signal }) => {
      const query = {
        limit: channelsPerPage,
        skip: (page - 1) * channelsPerPage,
        ...(archived === 'exclude' ? {} : { archived }),
        ...(search === '' ? {} : { search }),
      }
      const response = await call(channelsApi.list, { query }, { signal })
      return Array.isArray(response) ? { items: response, total: response.length, totalPages: 1 } : response
    },
    placeholderData: keepPreviousData,
  })
}
