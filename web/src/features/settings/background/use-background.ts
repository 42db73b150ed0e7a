import { settingsApi } from '@lyceum/contract/settings'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { upload } from '#api/upload.ts'
import { useUpload } from '#api/use-upload.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { globalSettingsQuery } from '../queries.ts'
import { dashboardBackgroundQuery } from './background-query.ts'

function refresh(client: QueryClient) {
  return Promise.all([
    client.invalidateQueries({ queryKey: dashboardBackgroundQuery().queryKey }),
    client.invalidateQueries({ queryKey: globalSettingsQuery().queryKey }),
  ])
}

/** Uploads a new background image. */
export function useSetBackground(onDone: () => void) {
  const client = useQueryClient()
  return useUpload(
    (file, options) => upload(settingsApi.setBackground, { file, fields: {} }, options),
    ({ message }) => {
      banner.success(message)
      onDone()
      return refresh(client)
    },
  )
}

export function useRemoveBackground(onSettled: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(settingsApi.removeBackground, {}),
    onSuccess: ({ message }) => banner.success(message),
    onError: (error) => banner.error(messageOf(error, texts.settings.removeBackgroundFailed)),
    onSettled: () => {
      onSettled()
      return refresh(client)
    },
  })
}
