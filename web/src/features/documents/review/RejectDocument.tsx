import type { Document } from '@lyceum/contract/documents'
import { type Actions, isConflict } from '../use-document-actions.ts'
import { RejectDialog } from './RejectDialog.tsx'

interface Props {
  document: Document
  reject: Actions['reject']
  onClose: () => void
  /** As of `RejectDialog`. */
  finalFocus: (isByKeyboard: boolean) => HTMLElement | boolean
}

/** Rejects one document after a confirmation. */
export function RejectDocument({ document, reject, onClose, finalFocus }: Props) {
  return (
    <RejectDialog
      documents={[document]}
      isBusy={reject.isPending}
      onReject={({ reason }) =>
        reject.mutate(
          { document, reason },
          // After another failure, the reason can be sent again.
          { onSuccess: onClose, onError: (error) => isConflict(error) && onClose() },
        )
      }
      onClose={onClose}
      finalFocus={finalFocus}
    />
  )
}
