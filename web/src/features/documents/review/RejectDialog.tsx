import { type Document, rejectionReasonMaxLength } from '@lyceum/contract/documents'
import { type MouseEvent, useRef, useState } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { Field } from '#ui/Field.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { DocumentNames } from './DocumentNames.tsx'

interface Props {
  /** At least one. */
  documents: readonly Document[]
  isBusy?: boolean
  onReject: (rejection: { reason: string; isByKeyboard: boolean }) => void
  onClose: () => void
  /** As of `Dialog`. Used after a rejection, which may disable the button that opened the dialog. */
  finalFocus: (isByKeyboard: boolean) => HTMLElement | boolean
}

function describeConsequence(documents: readonly Document[]): string {
  const hasApproved = documents.some(({ answering }) => answering !== null)
  return `Rejected documents are not used in answers.${hasApproved ? ' Earlier approved versions stay in use.' : ''}`
}

/** Asks for confirmation and for the reason before documents are rejected. */
export function RejectDialog({ documents, isBusy = false, onReject, onClose, finalFocus }: Props) {
  const [reason, setReason] = useState('')
  const confirmation = useRef<'keyboard' | 'pointer' | null>(null)
  const unsaved = useUnsavedInput({ isChanged: reason.trim() !== '', isSaving: isBusy, onClose: cancel })
  const isTooLong = reason.trim().length > rejectionReasonMaxLength
  const isSingle = documents.length === 1
  const subject = isSingle ? 'document' : formatCount(documents.length, 'document')
  function cancel(): void {
    // An earlier attempt has failed.
    confirmation.current = null
    onClose()
  }
  function handleConfirm(event: MouseEvent): void {
    if (isTooLong) return
    // The number of presses of a pointer.
    const isByKeyboard = event.detail === 0
    confirmation.current = isByKeyboard ? 'keyboard' : 'pointer'
    onReject({ reason: reason.trim(), isByKeyboard })
  }
  return (
    <Dialog
      open
      onClose={unsaved.close}
      size="small"
      title={`Reject ${isSingle ? 'this document' : subject}?`}
      finalFocus={() => confirmation.current === null || finalFocus(confirmation.current === 'keyboard')}
      footer={
        <>
          <Button onClick={unsaved.close}>Cancel</Button>
          <Button variant="danger" busy={isBusy} onClick={handleConfirm}>
            {`Reject ${subject}`}
          </Button>
        </>
      }
    >
      <DocumentNames documents={documents} />
      <p className="mt-2 text-muted text-sm">{describeConsequence(documents)}</p>
      <div className="mt-5">
        <Field
          label="Reason (optional)"
          hint={isSingle ? 'The uploader sees it.' : 'The uploader of each document sees it.'}
          error={isTooLong ? `At most ${rejectionReasonMaxLength} characters` : undefined}
        >
          {(control) => (
            <TextArea
              {...control}
              dir="auto"
              rows={3}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </div>
      <DiscardDialog {...unsaved.question}>The reason has not been sent.</DiscardDialog>
    </Dialog>
  )
}
