import { type TwoFactorSettings, twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { userQuery } from '#features/users/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { userTwoFactorQuery } from './queries.ts'

/** Overrides the global settings for a user; null removes the override. */
export function useSaveOverride(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: TwoFactorSettings | null) =>
      body === null
        ? call(twoFactorApi.reset, { params: { userId } })
        : call(twoFactorApi.override, { params: { userId }, body }),
    onSuccess: (settings) => client.setQueryData(userTwoFactorQuery(userId).queryKey, settings),
  })
}

export function useForceReverification(userId: string) {
  return useMutation({
    mutationFn: () => call(twoFactorApi.forceReverification, { params: { userId } }),
    onSuccess: () => banner.success(texts.twoFactor.force.done),
    onError: (error) => banner.error(messageOf(error, texts.twoFactor.force.failed)),
  })
}

export function useEndSessions(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(usersApi.endSessions, { params: { id: userId } }),
    onSuccess: () => {
      banner.success(texts.users.endSessions.done)
      // The user's page shows the number of open sessions.
      void client.invalidateQueries({ queryKey: userQuery(userId).queryKey })
    },
    onError: (error) => banner.error(messageOf(error, texts.users.endSessions.failed)),
  })
}
