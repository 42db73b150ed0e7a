import type { Document } from '@lyceum/contract/documents'
import { useState } from 'react'

export interface Selection {
  /** In the order they were selected, in their current state. */
  readonly documents: readonly Document[]
  readonly has: (id: string) => boolean
  readonly isSelectable: (document: Document) => boolean
  readonly set: (documents: readonly Document[], isSelected: boolean) => void
  readonly keepOnly: (documents: readonly Document[]) => void
}

interface ScopedSelection {
  readonly scope: string
  readonly selected: ReadonlyMap<string, Document>
}

const emptySelection: ReadonlyMap<string, Document> = new Map()

function indexById(documents: readonly Document[]): Map<string, Document> {
  return new Map(documents.map((document) => [document._id, document]))
}

/**
 * Documents selected on one or more pages. Another scope (tab or filter) starts an empty selection, so that users
 * never act on documents they cannot see. Documents reviewed in the meantime are deselected.
 */
export function useSelection(
  scope: string,
  pageDocuments: readonly Document[],
  isSelectable: (document: Document) => boolean,
): Selection {
  const [stored, setStored] = useState<ScopedSelection>({ scope, selected: emptySelection })
  const selected = stored.scope === scope ? stored.selected : emptySelection
  const current = indexById(pageDocuments)
  const documents = [...selected.values()]
    .map((document) => current.get(document._id) ?? document)
    .filter(isSelectable)
  const ids = new Set(documents.map(({ _id }) => _id))
  return {
    documents,
    has: (id) => ids.has(id),
    isSelectable,
    set: (changed, isSelected) =>
      setStored((before) => {
        const next = new Map(before.scope === scope ? before.selected : emptySelection)
        for (const document of changed) {
          if (isSelected) next.set(document._id, document)
          else next.delete(document._id)
        }
        return { scope, selected: next }
      }),
    keepOnly: (remaining) => setStored({ scope, selected: indexById(remaining) }),
  }
}
