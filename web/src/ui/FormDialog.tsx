import { type FormEvent, type ReactNode, useId } from 'react'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { DiscardDialog } from './DiscardDialog.tsx'
import { SaveButton } from './SaveButton.tsx'
import { useUnsavedInput } from './use-unsaved-input.ts'

interface Props {
  title: string
  description?: ReactNode
  size?: 'small' | 'regular'
  /** Whether there is something to save. Closing would then lose input and needs a confirmation. */
  isChanged: boolean
  /** Keeps the submit button available before the first change: in forms that create something, it shows what is missing. */
  canSubmitUnchanged?: boolean
  /** Text of that confirmation, such as 'The assistant has not been saved.' */
  unsavedText: string
  submitLabel: string
  isSubmitting: boolean
  /** An error that belongs to no single field. */
  refusal: string | null
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  cancelLabel?: string
  /** Dims the submit button. It stays clickable, so that the form can show why it is not available. */
  isReadOnly?: boolean
  /** Returns the element to focus on close. By default, it is the one that had the focus before. */
  finalFocus?: (() => HTMLElement | boolean) | undefined
  /** Content below the form that does not belong to it. */
  aside?: ReactNode
  children: ReactNode
}

/** A form in a dialog that asks before it discards input. */
export function FormDialog(props: Props) {
  const { title, isChanged, unsavedText, refusal, onClose } = props
  const formId = useId()
  const unsaved = useUnsavedInput({ isChanged, isSaving: props.isSubmitting, onClose })
  return (
    <Dialog
      open
      onClose={unsaved.close}
      title={title}
      description={props.description}
      size={props.size ?? 'regular'}
      finalFocus={props.finalFocus}
      footer={
        <>
          <Button onClick={unsaved.close}>{props.cancelLabel ?? 'Cancel'}</Button>
          <SaveButton
            form={formId}
            isChanged={isChanged || props.canSubmitUnchanged === true || props.isReadOnly === true}
            busy={props.isSubmitting}
            aria-disabled={props.isReadOnly}
          >
            {props.submitLabel}
          </SaveButton>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={props.onSubmit} className="flex flex-col gap-5">
        {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
        {props.children}
      </form>
      {props.aside}
      <DiscardDialog {...unsaved.question}>{unsavedText}</DiscardDialog>
    </Dialog>
  )
}
