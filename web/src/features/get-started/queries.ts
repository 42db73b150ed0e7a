import { getStartedApi } from '@lyceum/contract/get-started'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The setup steps that the user may do. A failure hides them and is only logged. */
export function setupProgressQuery() {
  return queryOptions({
    queryKey: ['get-started'],
    queryFn: async ({ signal }) => (await call(getStartedApi.get, {}, { signal })).steps,
    // The admin home waits for the steps, so that nothing moves when they appear.
    retry: false,
    staleTime: 0,
    meta: { quiet: true },
  })
}
