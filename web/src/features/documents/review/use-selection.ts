import type { Document } from '@lyceum/contract/documents'
import { useState } from 'react'

export interface Selection {
  /** In the order they were chosen, as they stand on the screen now. */
  readonly documents: readonly Document[]
  readonly has: (id: string) => boolean
  readonly isSelectable: (document: Document) => boolean
  readonly set: (documents: readonly Document[], isChosen: boolean) => void
  readonly keepOnly: (documents: readonly Document[]) => void
}

interface Kept {
  readonly scope: string
  readonly chosen: ReadonlyMap<string, Document>
}

const nothing: ReadonlyMap<string, Document> = new Map()

function byId(documents: readonly Document[]): Map<string, Document> {
  return new Map(documents.map((document) => [document._id, document]))
}

/**
 * Documents chosen for one action, also from several pages. Another tab or filter begins anew, so that nothing is
 * decided on that one cannot come back to; what was decided meanwhile is chosen no more.
 */
export function useSelection(
  scope: string,
  onScreen: readonly Document[],
  isSelectable: (document: Document) => boolean,
): Selection {
  const [kept, setKept] = useState<Kept>({ scope, chosen: nothing })
  const chosen = kept.scope === scope ? kept.chosen : nothing
  const current = byId(onScreen)
  const documents = [...chosen.values()]
    .map((document) => current.get(document._id) ?? document)
    .filter(isSelectable)
  const ids = new Set(documents.map(({ _id }) => _id))
  return {
    documents,
    has: (id) => ids.has(id),
    isSelectable,
    set: (changed, isChosen) =>
      setKept((before) => {
        const next = new Map(before.scope === scope ? before.chosen : nothing)
        for (const document of changed) {
          if (isChosen) next.set(document._id, document)
          else next.delete(document._id)
        }
        return { scope, chosen: next }
      }),
    keepOnly: (left) => setKept({ scope, chosen: byId(left) }),
  }
}
