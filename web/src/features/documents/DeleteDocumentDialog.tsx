import type { Document } from '@lyceum/contract/documents'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { ChangesByRemoval } from './test-bench/AnswerChanges.tsx'
import type { Actions } from './use-document-actions.ts'

interface Props {
  document: Document
  remove: Actions['remove']
  open: boolean
  onClose: () => void
  onConfirm: () => void
}

function describeDeletion({ index: { passages }, version }: Document): string {
  if (version.count > 1) return 'All its versions will be permanently deleted.'
  if (passages === null || passages === 0) return 'The file will be permanently deleted.'
  const passageCount = formatCount(passages, 'indexed passage')
  return `The file and its ${passageCount} will be permanently deleted and no longer used in answers.`
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
      <p className="mt-1">{describeDeletion(document)}</p>
      <ChangesByRemoval document={document} />
    </ConfirmDialog>
  )
}
