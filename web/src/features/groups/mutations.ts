import { type GroupInput, groupsApi } from '@lyceum/contract/groups'
import type { Permission } from '@lyceum/contract/permissions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { usersKey } from '#features/users/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { groupsKey } from './queries.ts'

/** Groups give channels to users, so that the lists of all three can change. */
function useRefresh() {
  const client = useQueryClient()
  return () =>
    Promise.all([groupsKey, channelsKey, usersKey].map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Creates a group, or changes one if there is an id. The form shows errors. */
export function useSaveGroup(id: string | null) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: GroupInput) =>
      id === null ? call(groupsApi.create, { body }) : call(groupsApi.update, { params: { id }, body }),
    onSuccess: async () => {
      await refresh()
      banner.success(id === null ? texts.groups.create.done : texts.groups.change.done)
    },
  })
}

interface Outcome {
  done: string
  failed: string
}

/** Shows the outcome in a banner, with the server's own message if it sends one. */
function useGroupMutation<Input>(run: (input: Input) => Promise<unknown>, { done, failed }: Outcome) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: run,
    onSuccess: (reply) => {
      const message = (reply as { message?: unknown } | undefined)?.message
      banner.success(typeof message === 'string' ? message : done)
    },
    onError: (error) => banner.error(messageOf(error, failed)),
    onSettled: refresh,
  })
}

/** The page of the group is still open when it is deleted, so nothing is refetched before the next page opens. */
export function useRemoveGroup(id: string) {
  const client = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => call(groupsApi.remove, { params: { id } }),
    onSuccess: async ({ message }) => {
      for (const queryKey of [groupsKey, channelsKey, usersKey])
        await client.invalidateQueries({ queryKey, refetchType: 'none' })
      banner.success(message)
    },
    onError: (error) => {
      banner.error(messageOf(error, texts.groups.removeFailed))
      void refresh()
    },
  })
}

export function useAddMembers(id: string) {
  return useGroupMutation(
    (userIds: string[]) => call(groupsApi.addMembers, { params: { id }, body: { userIds } }),
    texts.groups.addMembers,
  )
}

export function useRemoveMembers(id: string) {
  return useGroupMutation(
    (userIds: string[]) => call(groupsApi.removeMembers, { params: { id }, body: { userIds } }),
    texts.groups.removeMembers,
  )
}

export function useAddChannels(id: string) {
  return useGroupMutation(
    (channelIds: string[]) => call(groupsApi.addChannels, { params: { id }, body: { channelIds } }),
    texts.groups.addChannels,
  )
}

export function useRemoveChannel(id: string) {
  return useGroupMutation(
    (channelId: string) => call(groupsApi.removeChannel, { params: { id, channelId } }),
    texts.groups.removeChannel,
  )
}

export function useSetGroupPermissions(id: string) {
  return useGroupMutation(
    (permissions: Permission[]) => call(groupsApi.setPermissions, { params: { id }, body: { permissions } }),
    texts.groups.permissions,
  )
}
