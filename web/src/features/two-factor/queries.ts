import { twoFactorApi } from '@lyceum/contract/two-factor'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Key prefix of all queries of this feature. */
export const twoFactorKey = ['two-factor'] as const

/** The settings in effect for a user, and whether they override the global ones. */
export function userTwoFactorQuery(userId: string) {
  return queryOptions({
    queryKey: [...twoFactorKey, userId],
    queryFn: ({ signal }) => call(twoFactorApi.get, { params: { userId } }, { signal }),
    // The form must start from current values, not from those of an earlier visit.
    gcTime: 0,
    staleTime: 0,
  })
}
