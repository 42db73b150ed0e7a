import type { Document } from '@lyceum/contract/documents'
import { Skeleton } from '#ui/Skeleton.tsx'
import { DocumentRow } from './DocumentRow.tsx'
import type { Selection } from './review/use-selection.ts'

interface Props {
  label: string
  documents: readonly Document[]
  isReview?: boolean
  isQuiet?: boolean
  selection?: Selection | undefined
  onPreview: (document: Document) => void
}

export function DocumentList({
  label,
  documents,
  isReview = false,
  isQuiet = false,
  selection,
  onPreview,
}: Props) {
  return (
    <ul aria-label={label} className="divide-y divide-hairline">
      {documents.map((document) => (
        <DocumentRow
          key={document._id}
          document={document}
          isReview={isReview}
          isQuiet={isQuiet}
          selection={selection}
          onPreview={onPreview}
        />
      ))}
    </ul>
  )
}

export function DocumentListSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" className="divide-y divide-hairline">
      <span className="sr-only">Loading the documents…</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical
        <div key={row} className="flex flex-col gap-2 px-4 py-4">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-5 w-24 rounded-full" />
        </div>
      ))}
    </div>
  )
}
