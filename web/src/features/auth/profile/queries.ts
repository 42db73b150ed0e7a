import { authApi } from '@lyceum/contract/auth'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Prefix of the user's sessions and trusted browsers, reloaded together because ending one may end others. */
export const ownBrowsersKey = ['own-browsers'] as const

export function sessionsQuery() {
  return queryOptions({
    queryKey: [...ownBrowsersKey, 'sessions'],
    queryFn: ({ signal }) => call(authApi.sessions, {}, { signal }),
  })
}

export function trustedBrowsersQuery() {
  return queryOptions({
    queryKey: [...ownBrowsersKey, 'trusted-browsers'],
    queryFn: ({ signal }) => call(authApi.trustedBrowsers, {}, { signal }),
  })
}
