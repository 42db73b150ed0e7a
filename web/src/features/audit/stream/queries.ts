import { auditStreamApi } from '@lyceum/contract/audit-stream'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

const refreshMs = 10_000

/** Kept up to date, because it shows how far the receivers are behind. */
export function auditStreamQuery() {
  return queryOptions({
    queryKey: ['audit-stream'],
    queryFn: ({ signal }) => call(auditStreamApi.get, {}, { signal }),
    refetchInterval: refreshMs,
  })
}
