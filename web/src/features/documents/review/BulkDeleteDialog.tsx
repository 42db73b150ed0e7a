import type { Document } from '@lyceum/contract/documents'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DocumentNames } from './DocumentNames.tsx'

interface Props {
  open: boolean
  documents: readonly Document[]
  onConfirm: () => void
  onCancel: () => void
  finalFocus: () => HTMLElement | null
}

/** Asks for confirmation before several documents are deleted. */
export function BulkDeleteDialog({ open, documents, onConfirm, onCancel, finalFocus }: Props) {
  const documentCount = formatCount(documents.length, 'document')
  return (
    <ConfirmDialog
      open={open}
      title={`Delete ${documentCount}?`}
      confirmLabel={`Delete ${documentCount}`}
      onConfirm={onConfirm}
      onCancel={onCancel}
      finalFocus={finalFocus}
    >
      <DocumentNames documents={documents} />
      <p className="mt-2">
        The files and their indexed passages will be permanently deleted and no longer used in answers.
      </p>
    </ConfirmDialog>
  )
}
