import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  /** Whether leaving would lose something; then it is asked about first. */
  isChanged: boolean
  /** What leaving means, as in 'It has not been saved.' */
  unsaved: string
  submitLabel: string
  isSubmitting: boolean
  /** What is wrong beyond a single field. */
  refusal: string | null
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  cancelLabel?: string
  /** The button is shown and can be pressed, which says why it does nothing. */
  isClosed?: boolean
  /** Below the form and no part of it. */
  aside?: ReactNode
  children: ReactNode
}

/** A form in a window. What took an hour to write is not lost to a press beside it. */
export function FormDialog(props: Props) {
  const { title, isChanged, unsaved, refusal, onClose } = props
  const formId = useId()
  const [isLeaving, setIsLeaving] = useState(false)
  function leave(): void {
    isChanged ? setIsLeaving(true) : onClose()
  }
  return (
    <Dialog
      open
      onClose={leave}
      title={title}
      footer={
        <>
          <Button onClick={leave}>{props.cancelLabel ?? 'Cancel'}</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={props.isSubmitting}
            aria-disabled={props.isClosed || undefined}
          >
            {props.submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={props.onSubmit} className="flex flex-col gap-5">
        {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
        {props.children}
      </form>
      {props.aside}
      <ConfirmDialog
        open={isLeaving}
        title="Discard what you entered?"
        confirmLabel="Discard"
        onConfirm={onClose}
        onCancel={() => setIsLeaving(false)}
      >
        {unsaved}
      </ConfirmDialog>
    </Dialog>
  )
}
