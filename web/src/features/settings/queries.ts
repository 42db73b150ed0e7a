import { connectionsApi } from '@lyceum/contract/connections'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { type GlobalSettings, settingsApi } from '@lyceum/contract/settings'
import { statusApi } from '@lyceum/contract/status'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The settings for all users. */
export function globalSettingsQuery() {
  return queryOptions({
    queryKey: ['global-settings'],
    queryFn: async ({ signal }): Promise<GlobalSettings> =>
      (await call(settingsApi.get, {}, { signal })).settings,
    // Other administrators may change the settings, so a form starts from current values.
    gcTime: 0,
    staleTime: 0,
  })
}

/** The review notice and the retention period. */
export function conversationSettingsQuery() {
  return queryOptions({
    queryKey: ['conversation-settings'],
    queryFn: ({ signal }) => call(conversationsApi.get, {}, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}

/** The model endpoint and the mail server, for system administrators. */
export function connectionsQuery() {
  return queryOptions({
    queryKey: ['connections'],
    queryFn: ({ signal }) => call(connectionsApi.get, {}, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}

/** The status of the installation's parts and jobs. */
export function systemStatusQuery() {
  return queryOptions({
    queryKey: ['system-status'],
    queryFn: ({ signal }) => call(statusApi.get, {}, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}
