import { conversationsApi } from '@lyceum/contract/conversations'
import { type GlobalSettings, settingsApi } from '@lyceum/contract/settings'
import { statusApi } from '@lyceum/contract/status'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** What holds for everybody. */
export function globalSettingsQuery() {
  return queryOptions({
    queryKey: ['global-settings'],
    queryFn: async ({ signal }): Promise<GlobalSettings> =>
      (await call(settingsApi.get, {}, { signal })).settings,
    // Other administrators change it too: a form starts with what holds now.
    gcTime: 0,
    staleTime: 0,
  })
}

/** What is said of chats, and how long they are kept. */
export function conversationSettingsQuery() {
  return queryOptions({
    queryKey: ['conversation-settings'],
    queryFn: ({ signal }) => call(conversationsApi.get, {}, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}

/** How the parts of the installation stand. */
export function systemStatusQuery() {
  return queryOptions({
    queryKey: ['system-status'],
    queryFn: ({ signal }) => call(statusApi.get, {}, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}
