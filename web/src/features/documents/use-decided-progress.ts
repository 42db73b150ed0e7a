import type { Document } from '@lyceum/contract/documents'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { refreshDocument } from './document-cache.ts'
import { indexPollMs, isUnfinished } from './queries.ts'

/** Indexing takes documents in turn: watching the next few of them is enough, and kind to the server. */
const mostWatched = 4

/** Follows the indexing of rows whose list cannot be read again without losing them. */
export const useDecidedProgress = (documents: readonly Document[]): void => {
  const client = useQueryClient()
  const ids = documents
    .filter(isUnfinished)
    .slice(0, mostWatched)
    .map(({ _id }) => _id)
  useQuery({
    queryKey: ['document-progress', ids],
    queryFn: async ({ signal }) => {
      await Promise.all(ids.map((id) => refreshDocument(client, id, signal)))
      return ids
    },
    enabled: ids.length > 0,
    refetchInterval: indexPollMs,
    gcTime: 0,
    meta: { quiet: true },
  })
}
