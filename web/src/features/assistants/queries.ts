import { assistantsApi } from '@lyceum/contract/assistants'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The key that all queries of this feature begin with. */
export const assistantsKey = ['assistants'] as const

/** Who answers for each model label. The form works without knowing, so a failure is only logged. */
export function assistantStatusQuery() {
  return queryOptions({
    queryKey: [...assistantsKey, 'status'],
    queryFn: ({ signal }) => call(assistantsApi.status, {}, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
}

/** The ready-made assistants of this installation, all of them. */
export function presetsQuery() {
  return queryOptions({
    queryKey: [...assistantsKey, 'presets'],
    queryFn: ({ signal }) => call(assistantsApi.presets, {}, { signal }),
  })
}

/** Who would answer in a channel that names this id; the server refuses an id that cannot be one. */
export function resolveAssistantQuery(assistantId: string) {
  return queryOptions({
    queryKey: [...assistantsKey, 'resolve', assistantId],
    queryFn: ({ signal }) => call(assistantsApi.resolve, { query: { assistantId } }, { signal }),
    enabled: assistantId !== '',
    staleTime: 30_000,
    meta: { quiet: true },
  })
}
