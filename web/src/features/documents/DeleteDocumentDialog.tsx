import type { Document } from '@lyceum/contract/documents'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import type { Actions } from './use-document-actions.ts'

interface Props {
  document: Document
  remove: Actions['remove']
  open: boolean
  onClose: () => void
  onConfirm: () => void
}

/** What goes along with a document, in words. */
function whatGoes({ index: { passages }, version }: Document): string {
  if (version.count > 1) return 'All its versions and what is indexed of them go for good.'
  if (passages === null || passages === 0) return 'The file goes for good.'
  return `The file and its ${formatCount(passages, 'indexed passage')} go for good, and answers stop quoting it at once.`
}

export function DeleteDocumentDialog({ document, remove, open, onClose, onConfirm }: Props) {
  return (
    <ConfirmDialog
      open={open}
      title="Delete this document?"
      confirmLabel="Delete document"
      busy={remove.isPending}
      onConfirm={() => {
        onConfirm()
        remove.mutate({ document }, { onSettled: onClose })
      }}
      onCancel={onClose}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-4 font-medium text-ink">
        {document.originalName}
      </p>
      <p className="mt-1">{whatGoes(document)}</p>
    </ConfirmDialog>
  )
}
