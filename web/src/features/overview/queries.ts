import { overviewApi } from '@lyceum/contract/overview'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

const refreshMs = 60_000

/** What needs attention, for the admin home and the counts in the navigation. */
export function overviewQuery() {
  return queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => call(overviewApi.get, {}, { signal }),
    staleTime: refreshMs,
    // The admin area is complete without it.
    meta: { quiet: true },
  })
}
