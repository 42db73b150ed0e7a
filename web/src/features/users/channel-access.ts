import type { Channel } from '@lyceum/contract/channels'
import type { UserAccess } from '@lyceum/contract/groups'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { changeMember } from '#features/channels/change-member.ts'
import { channelsKey, channelsQuery } from '#features/channels/queries.ts'
import { userAccessQuery } from '#features/groups/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { userQuery, usersKey } from './queries.ts'
import { updateCachedUser } from './user-cache.ts'

type Origin = UserAccess['channels'][number]

interface AccessChange {
  userId: string | undefined
  channelId: string
  isAllowed: boolean
}

function setAccess(channels: string[], channelId: string, isAllowed: boolean): string[] {
  const others = channels.filter((id) => id !== channelId)
  return isAllowed ? [...others, channelId] : others
}

/** Writes a change into the cached lists, so that changing one checkbox does not reload them. */
async function updateCaches(
  client: QueryClient,
  userId: string,
  channelId: string,
  isAllowed: boolean,
): Promise<void> {
  function apply<U extends { channels: string[] }>(user: U): U {
    return {
      ...user,
      channels: setAccess(user.channels, channelId, isAllowed),
    }
  }
  client.setQueryData<Channel[]>(channelsQuery().queryKey, (channels) =>
    channels?.map((channel) =>
      channel._id === channelId && channel.memberCount !== undefined
        ? { ...channel, memberCount: channel.memberCount + (isAllowed ? 1 : -1) }
        : channel,
    ),
  )
  await updateCachedUser(client, userId, apply)
  void client.invalidateQueries({ queryKey: channelsKey, refetchType: 'none' })
}

/** A user's channels. Each change appears immediately and is reverted if the server refuses it. */
export function useChannelAccess(userId: string) {
  const client = useQueryClient()
  const user = useQuery(userQuery(userId))
  const channels = useQuery({ ...channelsQuery(), staleTime: 0 })
  // Without it, the server still refuses what cannot be taken away.
  const access = useQuery({ ...userAccessQuery(userId), meta: { quiet: true } })
  const [pending, setPending] = useState<ReadonlyMap<string, boolean>>(new Map())
  /** Undefined removes the pending change. */
  function setPendingAccess(channelId: string, isAllowed: boolean | undefined): void {
    setPending((before) => {
      const after = new Map(before)
      if (isAllowed === undefined) after.delete(channelId)
      else after.set(channelId, isAllowed)
      return after
    })
  }

  const change = useMutation({
    mutationFn: ({ isAllowed, ...target }: AccessChange) =>
      changeMember({ ...target, action: isAllowed ? 'grant' : 'revoke' }),
    onSuccess: async (_, { channelId, isAllowed }) => {
      await updateCaches(client, userId, channelId, isAllowed)
      banner.success(texts.users.channels.done)
    },
    onError: (error) => {
      banner.error(messageOf(error, texts.users.channels.failed))
      void client.invalidateQueries({ queryKey: channelsKey })
      void client.invalidateQueries({ queryKey: usersKey })
    },
    onSettled: (_, __, { channelId }) => {
      setPendingAccess(channelId, undefined)
      void client.invalidateQueries({ queryKey: userAccessQuery(userId).queryKey })
    },
  })

  const stored = new Set(user.data?.channels)
  const chosen = new Set(stored)
  for (const [channelId, isAllowed] of pending) {
    if (isAllowed) chosen.add(channelId)
    else chosen.delete(channelId)
  }
  const origins = new Map(access.data?.channels.map((channel) => [channel._id, channel]))
  return {
    user,
    channels,
    chosen,
    isLoading: user.isPending || channels.isPending || access.isPending,
    /** Where the access to a channel comes from. Undefined for a channel without access, and if it is unknown. */
    findOrigin: (channelId: string): Origin | undefined =>
      chosen.has(channelId) ? origins.get(channelId) : undefined,
    /** Whether a rule of an issuer gives any access, and so gives it again at the next sign-in. */
    isFromIssuer: access.data?.channels.some(({ issuers }) => issuers.length > 0) ?? false,
    /** The number of members, including pending changes. */
    countMembers: ({ _id, memberCount = 0 }: Channel): number =>
      memberCount + Number(chosen.has(_id)) - Number(stored.has(_id)),
    toggle: (channelId: string, isAllowed: boolean): void => {
      // One request per channel at a time: two requests could arrive out of order and store the wrong state.
      if (pending.has(channelId)) return
      setPendingAccess(channelId, isAllowed)
      change.mutate({ userId: user.data?._id, channelId, isAllowed })
    },
  }
}
