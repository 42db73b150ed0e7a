import type { PartTestResult } from '@lyceum/contract/status'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'

/** The key of the LDAP directory; issuers are known by their IDs. */
export const ldapKey = '@ldap'

function failedTestKey(entryId: string) {
  return ['failed-sign-in-test', entryId] as const
}

/**
 * The last test of an issuer or a directory, if it failed. The server does not store it, so it is remembered until the
 * page is reloaded.
 */
export function useFailedTest(entryId: string): PartTestResult | null {
  const { data } = useQuery<PartTestResult | null>({
    queryKey: failedTestKey(entryId),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data ?? null
}

/** Remembers the result of a test of the stored values; null if they have not been tested. */
export function useNoteTest(): (entryId: string, result: PartTestResult | null) => void {
  const client = useQueryClient()
  return (entryId, result) =>
    client.setQueryData(failedTestKey(entryId), result?.ok === false ? result : null)
}

/** What a row shows below its values: the result of the test that ended last. */
export function pickTestResult(
  test: { data: PartTestResult | undefined; isPending: boolean },
  failedTest: PartTestResult | null,
): PartTestResult | undefined {
  if (test.isPending) return undefined
  return failedTest ?? (test.data?.ok === true ? test.data : undefined)
}
