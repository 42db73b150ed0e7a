import { assistantsApi } from '@lyceum/contract/assistants'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Who answers for each model label. The form works without knowing, so a failure is only logged. */
export const assistantStatusQuery = () =>
  queryOptions({
    queryKey: ['assistants', 'status'],
    queryFn: ({ signal }) => call(assistantsApi.status, {}, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
