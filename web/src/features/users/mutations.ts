import type { User } from '@lyceum/contract/auth'
import type { Permissions, Role } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { userLists, userPermissionsQuery } from './queries.ts'
import { mergeUser } from './user-cache.ts'

function paramsOf({ _id }: User) {
  return { params: { id: _id } }
}

function useFreshLists() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: userLists })
}

/** Gives a user another name. The form says what went wrong. */
export function useRename(user: User) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(usersApi.update, { ...paramsOf(user), body: { name } }),
    onSuccess: (renamed) => mergeUser(client, renamed),
  })
}

export function useSetRole(user: User) {
  const client = useQueryClient()
  const refresh = useFreshLists()
  function wordsFor(role: Role) {
    return role === 'admin' ? texts.users.promote : texts.users.demote
  }
  return useMutation({
    mutationFn: (role: Role) => call(usersApi.update, { ...paramsOf(user), body: { role } }),
    onSuccess: async (changed, role) => {
      await mergeUser(client, changed)
      banner.success(wordsFor(role).done)
    },
    onError: (error, role) => {
      banner.error(messageOf(error, wordsFor(role).failed))
      void refresh()
    },
  })
}

export function useRemoveUser(user: User) {
  const client = useQueryClient()
  const refresh = useFreshLists()
  return useMutation({
    mutationFn: () => call(usersApi.remove, paramsOf(user)),
    onSuccess: () => {
      banner.success(texts.users.remove.done)
      void client.invalidateQueries({ queryKey: channelsKey })
    },
    onError: (error) => banner.error(messageOf(error, texts.users.remove.failed)),
    // Also after a refusal: another administrator may have been first.
    onSettled: refresh,
  })
}

export function useSavePermissions(user: User) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Permissions) => call(usersApi.setPermissions, { ...paramsOf(user), body }),
    onSuccess: (permissions) => {
      client.setQueryData(userPermissionsQuery(user._id).queryKey, permissions)
      banner.success(texts.users.permissions.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.users.permissions.failed)),
  })
}

export function useSetSystemAdmin(user: User) {
  const client = useQueryClient()
  function wordsFor(isSystemAdmin: boolean) {
    return isSystemAdmin ? texts.users.makeSystemAdmin : texts.users.endSystemAdmin
  }
  return useMutation({
    mutationFn: (isSystemAdmin: boolean) =>
      call(usersApi.setSystemAdmin, { ...paramsOf(user), body: { isSystemAdmin } }),
    onSuccess: async (changed, isSystemAdmin) => {
      banner.success(wordsFor(isSystemAdmin).done)
      await mergeUser(client, changed)
    },
    onError: (error, isSystemAdmin) => banner.error(messageOf(error, wordsFor(isSystemAdmin).failed)),
  })
}
