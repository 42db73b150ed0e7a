import { authApi } from '@lyceum/contract/auth'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** One's own sign-ins and trusted browsers: what ends one may end others, so they are asked for anew together. */
export const ownEntryKey = ['own-entry'] as const

export function sessionsQuery() {
  return queryOptions({
    queryKey: [...ownEntryKey, 'sessions'],
    queryFn: ({ signal }) => call(authApi.sessions, {}, { signal }),
  })
}

export function trustedBrowsersQuery() {
  return queryOptions({
    queryKey: [...ownEntryKey, 'trusted-browsers'],
    queryFn: ({ signal }) => call(authApi.trustedBrowsers, {}, { signal }),
  })
}
