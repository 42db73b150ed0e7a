import type { Document } from '@lyceum/contract/documents'

/** Beyond this number, documents are counted instead of listed by name. */
const maxNamed = 5

/** The documents that a dialog is about. */
export function DocumentNames({ documents }: { documents: readonly Document[] }) {
  const unnamed = documents.length - maxNamed
  return (
    <ul className="flex flex-col gap-1 text-ink text-sm">
      {documents.slice(0, maxNamed).map(({ _id, originalName }) => (
        <li key={_id} dir="auto" className="wrap-anywhere line-clamp-2 text-start font-medium">
          {originalName}
        </li>
      ))}
      {unnamed > 0 && <li>and {unnamed.toLocaleString()} more</li>}
    </ul>
  )
}
