import type { User } from '@lyceum/contract/auth'
import type { Permissions, Role } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { userListsKey, userPermissionsQuery, userQuery } from './queries.ts'
import { replaceCachedUser, updateCachedUser } from './user-cache.ts'

function toParams({ _id }: User) {
  return { params: { id: _id } }
}

function useInvalidateLists() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: userListsKey })
}

/** Renames a user. The form shows errors. */
export function useRename(user: User) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(usersApi.update, { ...toParams(user), body: { name } }),
    onSuccess: (renamed) => replaceCachedUser(client, renamed),
  })
}

export function useSetRole(user: User) {
  const client = useQueryClient()
  const refresh = useInvalidateLists()
  function getTexts(role: Role) {
    return role === 'admin' ? texts.users.promote : texts.users.demote
  }
  return useMutation({
    mutationFn: (role: Role) => call(usersApi.update, { ...toParams(user), body: { role } }),
    onSuccess: async (changed, role) => {
      await replaceCachedUser(client, changed)
      banner.success(getTexts(role).done)
    },
    onError: (error, role) => {
      banner.error(messageOf(error, getTexts(role).failed))
      void refresh()
    },
  })
}

export function useRemoveUser(user: User) {
  const client = useQueryClient()
  const refresh = useInvalidateLists()
  return useMutation({
    mutationFn: () => call(usersApi.remove, toParams(user)),
    onSuccess: () => {
      banner.success(texts.users.remove.done)
      void client.invalidateQueries({ queryKey: channelsKey })
    },
    onError: (error) => banner.error(messageOf(error, texts.users.remove.failed)),
    // Reload after a refusal too, because another administrator may have deleted the user.
    onSettled: refresh,
  })
}

export function useSavePermissions(user: User) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Permissions) => call(usersApi.setPermissions, { ...toParams(user), body }),
    onSuccess: (permissions) => {
      client.setQueryData(userPermissionsQuery(user._id).queryKey, permissions)
      banner.success(texts.users.permissions.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.users.permissions.failed)),
  })
}

export function useSetSystemAdmin(user: User) {
  const client = useQueryClient()
  function getTexts(isSystemAdmin: boolean) {
    return isSystemAdmin ? texts.users.makeSystemAdmin : texts.users.removeSystemAdmin
  }
  return useMutation({
    mutationFn: (isSystemAdmin: boolean) =>
      call(usersApi.setSystemAdmin, { ...toParams(user), body: { isSystemAdmin } }),
    onSuccess: async (changed, isSystemAdmin) => {
      banner.success(getTexts(isSystemAdmin).done)
      await replaceCachedUser(client, changed)
    },
    onError: (error, isSystemAdmin) => banner.error(messageOf(error, getTexts(isSystemAdmin).failed)),
  })
}

/** Deactivates a user or activates them again. */
export function useSetActive(user: User) {
  const client = useQueryClient()
  const refresh = useInvalidateLists()
  function getTexts(isActive: boolean) {
    return isActive ? texts.users.activate : texts.users.deactivate
  }
  return useMutation({
    mutationFn: (isActive: boolean) => call(usersApi.setActive, { ...toParams(user), body: { isActive } }),
    onSuccess: async (changed, isActive) => {
      const { deactivatedAt } = changed
      await updateCachedUser(client, user._id, (known) => ({ ...known, deactivatedAt }))
      // The sessions have ended, too.
      client.setQueryData(userQuery(user._id).queryKey, (known) => known && changed)
      banner.success(getTexts(isActive).done)
    },
    onError: (error, isActive) => {
      banner.error(messageOf(error, getTexts(isActive).failed))
      void refresh()
    },
  })
}
