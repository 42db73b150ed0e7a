import { type Channel, channelsApi } from '@lyceum/contract/channels'
import type { UserDetail } from '@lyceum/contract/users'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsQuery } from '#features/channels/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { userQuery } from './queries.ts'
import { changeUser } from './user-cache.ts'

export interface AccessChange {
  userId: string | undefined
  channelId: string | undefined
  isAllowed: boolean
}

function invalid(): ApiError {
  return new ApiError(0, 'user.invalid_access', texts.users.invalidChannelAccess)
}

/** Gives or takes a user's access to a channel; it needs both. */
export async function setAccess({ userId, channelId, isAllowed }: AccessChange): Promise<void> {
  if (!userId || !channelId) throw invalid()
  const endpoint = isAllowed ? channelsApi.grant : channelsApi.revoke
  try {
    await call(endpoint, { params: { id: channelId }, body: { userId } })
  } catch (error) {
    // One of the two has gone since the list was read.
    throw error instanceof ApiError && error.status === 404 ? invalid() : error
  }
}

function withAccess(channels: string[], channelId: string, isAllowed: boolean): string[] {
  const others = channels.filter((id) => id !== channelId)
  return isAllowed ? [...others, channelId] : others
}

/** What a change did, written into what has been read: no list is read again for one tick. */
async function keepChange(
  client: QueryClient,
  userId: string,
  channelId: string,
  isAllowed: boolean,
): Promise<void> {
  function apply<U extends { channels: string[] }>(user: U): U {
    return {
      ...user,
      channels: withAccess(user.channels, channelId, isAllowed),
    }
  }
  client.setQueryData<UserDetail>(userQuery(userId).queryKey, (user) => user && apply(user))
  client.setQueryData<Channel[]>(channelsQuery().queryKey, (channels) =>
    channels?.map((channel) =>
      channel._id === channelId && channel.memberCount !== undefined
        ? { ...channel, memberCount: channel.memberCount + (isAllowed ? 1 : -1) }
        : channel,
    ),
  )
  await changeUser(client, userId, apply)
  void client.invalidateQueries({ queryKey: ['channels'], refetchType: 'none' })
}

/** A user's channels, each tick shown at once and taken back when it is refused. */
export function useChannelAccess(userId: string) {
  const client = useQueryClient()
  const user = useQuery(userQuery(userId))
  const channels = useQuery({ ...channelsQuery(), staleTime: 0 })
  const [underWay, setUnderWay] = useState<ReadonlyMap<string, boolean>>(new Map())
  function mark(channelId: string, isAllowed?: boolean): void {
    setUnderWay((before) => {
      const after = new Map(before)
      if (isAllowed === undefined) after.delete(channelId)
      else after.set(channelId, isAllowed)
      return after
    })
  }

  const change = useMutation({
    mutationFn: setAccess,
    onSuccess: async (_, { channelId = '', isAllowed }) => {
      await keepChange(client, userId, channelId, isAllowed)
      banner.success(texts.users.channels.done)
    },
    onError: (error) => {
      banner.error(messageOf(error, texts.users.channels.failed))
      void client.invalidateQueries({ queryKey: ['channels'] })
      void client.invalidateQueries({ queryKey: ['users'] })
    },
    onSettled: (_, __, { channelId = '' }) => mark(channelId),
  })

  const stored = new Set(user.data?.channels)
  const chosen = new Set(stored)
  for (const [channelId, isAllowed] of underWay) {
    if (isAllowed) chosen.add(channelId)
    else chosen.delete(channelId)
  }
  return {
    user,
    channels,
    chosen,
    /** Members as they will be counted once what is under way has been done. */
    memberCountOf: ({ _id, memberCount = 0 }: Channel): number =>
      memberCount + Number(chosen.has(_id)) - Number(stored.has(_id)),
    toggle: (channelId: string, isAllowed: boolean): void => {
      // One at a time for a channel: two that overtake each other would leave the wrong one.
      if (underWay.has(channelId)) return
      mark(channelId, isAllowed)
      change.mutate({ userId: user.data?._id, channelId, isAllowed })
    },
  }
}
