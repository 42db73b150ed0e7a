import { assistantsApi } from '@lyceum/contract/assistants'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Key prefix of all queries of this feature. */
export const assistantsKey = ['assistants'] as const

/** The model behind each label. Forms work without it, so failures are only logged. */
export function assistantStatusQuery() {
  return queryOptions({
    queryKey: [...assistantsKey, 'status'],
    queryFn: ({ signal }) => call(assistantsApi.status, {}, { signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
}

/** All ready-made assistants of this installation. */
export function presetsQuery() {
  return queryOptions({
    queryKey: [...assistantsKey, 'presets'],
    queryFn: ({ signal }) => call(assistantsApi.presets, {}, { signal }),
  })
}

/** The assistant that this id refers to. The server rejects malformed ids. */
export function resolveAssistantQuery(assistantId: string) {
  return queryOptions({
    queryKey: [...assistantsKey, 'resolve', assistantId],
    queryFn: ({ signal }) => call(assistantsApi.resolve, { query: { assistantId } }, { signal }),
    enabled: assistantId !== '',
    staleTime: 30_000,
    meta: { quiet: true },
  })
}
