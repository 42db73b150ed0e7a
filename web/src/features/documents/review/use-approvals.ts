import type { Document } from '@lyceum/contract/documents'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refreshDocument } from '../document-cache.ts'
import { indexPollMs, isBeingIndexed } from '../queries.ts'

/** Documents are indexed one after another, so polling the next few is enough. */
const maxPolled = 4

export interface Approvals {
  /** The documents approved since the page was opened or the notice was dismissed, with their current index state. */
  documents: readonly Document[]
  /** Ignores documents that were added before. */
  add: (approved: readonly Document[]) => void
  dismiss: () => void
}

/** A list shows documents as they were before a bulk approval. Approval queues them for indexing. */
export function toApproved(document: Document): Document {
  return { ...document, status: 'approved', index: { ...document.index, state: 'waiting', percent: 0 } }
}

/** Follows the documents approved on this page until they are indexed, also after they have left the list. */
export function useApprovals(): Approvals {
  const client = useQueryClient()
  const [documents, setDocuments] = useState<readonly Document[]>([])
  /** All documents that were added, so that a deleted one is not added again. */
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set())
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const ids = documents
    .filter(isBeingIndexed)
    .slice(0, maxPolled)
    .map(({ _id }) => _id)
  const { data: polled } = useQuery({
    queryKey: ['approval-progress', ids],
    queryFn: async ({ signal }) => {
      const current = await Promise.all(ids.map((id) => refreshDocument(client, id, signal)))
      return new Map(ids.map((id, index) => [id, current[index] ?? null]))
    },
    enabled: ids.length > 0,
    refetchInterval: indexPollMs,
    gcTime: 0,
    meta: { quiet: true },
  })

  useEffect(() => {
    if (polled === undefined) return
    setDocuments((previous) =>
      previous.flatMap((document) => {
        const current = polled.get(document._id)
        return current === null ? [] : [current ?? document]
      }),
    )
  }, [polled])

  return {
    documents: documents.filter(({ _id }) => !dismissed.has(_id)),
    add(approved) {
      const added = approved.filter(({ _id }) => !known.has(_id))
      if (added.length === 0) return
      setKnown(new Set([...known, ...added.map(({ _id }) => _id)]))
      setDocuments([...documents, ...added])
    },
    // They are still polled, because the list may show them.
    dismiss: () => setDismissed(known),
  }
}
