import { settingsApi } from '@lyceum/contract/settings'
import { type TwoFactorSettings, twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { notice } from '#ui/notice.ts'
import { messages } from '../../messages/admin.ts'
import { userTwoFactorQuery } from './queries.ts'

/** Changes what holds for everybody. The form says what went wrong. */
export const useSaveGlobal = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: TwoFactorSettings) => call(settingsApi.update, { body }),
    onSuccess: ({ settings }) => {
      client.setQueryData(globalSettingsQuery().queryKey, settings)
      // What holds for a person may follow it.
      void client.invalidateQueries({ queryKey: ['two-factor'] })
    },
  })
}

/** Gives a person settings of their own; null lets them follow the global ones again. */
export const useSaveOverride = (userId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: TwoFactorSettings | null) =>
      body === null
        ? call(twoFactorApi.reset, { params: { userId } })
        : call(twoFactorApi.override, { params: { userId }, body }),
    onSuccess: (settings) => client.setQueryData(userTwoFactorQuery(userId).queryKey, settings),
  })
}

export const useForceReverification = (userId: string) =>
  useMutation({
    mutationFn: () => call(twoFactorApi.forceReverification, { params: { userId } }),
    onSuccess: () => notice.success(messages.twoFactor.force.done),
    onError: (error) => notice.error(messageOf(error, messages.twoFactor.force.failed)),
  })

export const useEndSessions = (userId: string) =>
  useMutation({
    mutationFn: () => call(usersApi.endSessions, { params: { id: userId } }),
    onSuccess: () => notice.success(messages.users.endSessions.done),
    onError: (error) => notice.error(messageOf(error, messages.users.endSessions.failed)),
  })
