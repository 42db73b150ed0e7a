import type { Document } from '@lyceum/contract/documents'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { describeConsequence, getVerb, type SelectionAction } from './bulk-labels.ts'

/** Beyond this number, documents are counted instead of listed by name. */
const maxNamed = 5

interface Props {
  /** Null while closed. */
  action: SelectionAction | null
  documents: readonly Document[]
  onConfirm: (action: SelectionAction) => void
  onCancel: () => void
  finalFocus: () => HTMLElement | null
}

/** Asks for confirmation before several documents are rejected or deleted. */
export function BulkConfirm({ action, documents, onConfirm, onCancel, finalFocus }: Props) {
  const documentCount = formatCount(documents.length, 'document')
  const verb = action === null ? '' : getVerb(action)
  const unnamed = documents.length - maxNamed
  return (
    <ConfirmDialog
      open={action !== null}
      title={`${verb} ${documentCount}?`}
      confirmLabel={`${verb} ${documentCount}`}
      onConfirm={() => action !== null && onConfirm(action)}
      onCancel={onCancel}
      finalFocus={finalFocus}
    >
      <ul className="flex flex-col gap-1 text-ink">
        {documents.slice(0, maxNamed).map(({ _id, originalName }) => (
          <li key={_id} dir="auto" className="wrap-anywhere line-clamp-2 text-start font-medium">
            {originalName}
          </li>
        ))}
        {unnamed > 0 && <li>and {unnamed.toLocaleString()} more</li>}
      </ul>
      <p className="mt-2">{action !== null && describeConsequence(action)}</p>
    </ConfirmDialog>
  )
}
