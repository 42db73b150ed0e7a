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
export function useRefreshGroups() {
  const client = useQueryClient()
  return () =>
    Promise.all([groupsKey, channelsKey, usersKey].map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Creates a group, or changes one if there is an id. The form shows errors. */
export function useSaveGroup(id: string | null) {
  const refresh = useRefreshGroups()
  return useMutation({
    mutationFn: (body: GroupInput) =>
      id === null ? call(groupsApi.create, { body }) : call(groupsApi.update, { params: { id }, body }),
    onSuccess: async ({ name }) => {
      await refresh()
      banner.success(id === null ? texts.groups.created(name) : texts.groups.saved(name))
    },
  })
}

interface GroupMutation<Input, Reply> {
  run: (input: Input) => Promise<Reply>
  describe: (reply: Reply, input: Input) => string
  failed: string
}

/** Shows the outcome in a banner. */
function useGroupMutation<Input, Reply>({ run, describe, failed }: GroupMutation<Input, Reply>) {
  const refresh = useRefreshGroups()
  return useMutation({
    mutationFn: run,
    onSuccess: (reply, input) => banner.success(describe(reply, input)),
    onError: (error) => banner.error(messageOf(error, failed)),
    onSettled: refresh,
  })
}

/** The page of the group is still open when it is deleted, so nothing is refetched before the next page opens. */
export function useRemoveGroup(id: string) {
  const client = useQueryClient()
  const refresh = useRefreshGroups()
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
  return useGroupMutation({
    run: (userIds: string[]) => call(groupsApi.addMembers, { params: { id }, body: { userIds } }),
    describe: ({ message }) => message,
    failed: texts.groups.addMembersFailed,
  })
}

export function useRemoveMembers(id: string) {
  return useGroupMutation({
    run: (userIds: string[]) => call(groupsApi.removeMembers, { params: { id }, body: { userIds } }),
    describe: ({ message }) => message,
    failed: texts.groups.removeMembersFailed,
  })
}

interface NamedChannel {
  _id: string
  name: string
}

export function useAddChannels(id: string) {
  return useGroupMutation({
    run: (channels: readonly NamedChannel[]) =>
      call(groupsApi.addChannels, {
        params: { id },
        body: { channelIds: channels.map(({ _id }) => _id) },
      }),
    describe: ({ name }, [channel, ...others]) =>
      channel === undefined || others.length > 0
        ? texts.groups.channelsAdded(others.length + 1, name)
        : texts.groups.channelAdded(channel.name, name),
    failed: texts.groups.addChannelsFailed,
  })
}

export function useRemoveChannel(id: string) {
  return useGroupMutation({
    run: ({ _id }: NamedChannel) => call(groupsApi.removeChannel, { params: { id, channelId: _id } }),
    describe: (group, channel) => texts.groups.channelRemoved(channel.name, group.name),
    failed: texts.groups.removeChannelFailed,
  })
}

export function useSetGroupPermissions(id: string) {
  return useGroupMutation({
    run: (permissions: Permission[]) =>
      call(groupsApi.setPermissions, { params: { id }, body: { permissions } }),
    describe: () => texts.groups.permissionsSaved,
    failed: texts.groups.savePermissionsFailed,
  })
}
