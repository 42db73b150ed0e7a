import { twoFactorApi } from '@lyceum/contract/two-factor'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The key that all queries of this feature begin with. */
export const twoFactorKey = ['two-factor'] as const

/** What holds for one person, and whether it is their own. */
export function userTwoFactorQuery(userId: string) {
  return queryOptions({
    queryKey: [...twoFactorKey, userId],
    queryFn: ({ signal }) => call(twoFactorApi.get, { params: { userId } }, { signal }),
    // A form starts with what holds now, not with what held when it was last open.
    gcTime: 0,
    staleTime: 0,
  })
}
