import { twoFactorApi } from '@lyceum/contract/two-factor'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** What holds for one person, and whether it is their own. */
export function userTwoFactorQuery(userId: string) {
  return queryOptions({
    queryKey: ['two-factor', userId],
    queryFn: ({ signal }) => call(twoFactorApi.get, { params: { userId } }, { signal }),
    // A form starts with what holds now, not with what held when it was last open.
    gcTime: 0,
    staleTime: 0,
  })
}
