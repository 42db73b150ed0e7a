import { type ReactNode, useId, useState } from 'react'
import { copyText } from '#lib/copy-text.ts'
import { selectFromStart } from '#lib/select-from-start.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'
import { TextInput } from './TextInput.tsx'

interface Props {
  title: string
  description: ReactNode
  label: ReactNode
  /** What it is called in sentences. */
  noun: 'key' | 'secret' | 'link'
  value: string
  /** What to do if someone else may have seen it, or if it was not copied. */
  remedy: string
  /** How to use it. */
  children: ReactNode
  finalFocus?: () => HTMLElement | boolean
  onClose: () => void
}

/** Shows a new key or secret, this once. Asks before it closes if it has not been copied. */
export function ShownOnceDialog({
  title,
  description,
  label,
  noun,
  value,
  remedy,
  children,
  finalFocus,
  onClose,
}: Props) {
  const id = useId()
  const [isCopied, setIsCopied] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  function leave(): void {
    isCopied ? onClose() : setIsLeaving(true)
  }
  async function copy(): Promise<boolean> {
    const isDone = await copyText(value)
    if (isDone) setIsCopied(true)
    return isDone
  }
  return (
    <Dialog
      open
      onClose={leave}
      title={title}
      description={description}
      finalFocus={finalFocus}
      footer={
        <Button variant="primary" onClick={leave}>
          Done
        </Button>
      }
    >
      <Banner tone="warning">Copy this {noun} now. You won’t see it again.</Banner>
      <label htmlFor={id} className="mt-5 block font-medium text-sm">
        {label}
      </label>
      <div className="mt-1.5 flex items-center gap-2">
        <TextInput
          id={id}
          readOnly
          value={value}
          onFocus={selectFromStart}
          onCopy={() => setIsCopied(true)}
          className="font-mono"
        />
        <CopyButton label={`Copy the ${noun}`} onCopy={copy} />
      </div>
      <p className="mt-2 text-muted text-xs">
        Treat it like a password. If someone else may have seen it, {remedy}.
      </p>
      <div className="mt-5">{children}</div>
      <ConfirmDialog
        open={isLeaving}
        title={`Close without copying the ${noun}?`}
        confirmLabel="Close"
        cancelLabel="Back"
        onConfirm={onClose}
        onCancel={() => setIsLeaving(false)}
      >
        You won’t see this {noun} again. Without a copy, you can only {remedy}.
      </ConfirmDialog>
    </Dialog>
  )
}
