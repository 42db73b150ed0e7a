import { useId, useState } from 'react'
import { copyText } from '#lib/copy-text.ts'
import { selectFromStart } from '#lib/select-from-start.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  secret: string
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Shows the secret of a new webhook, this once. Asks before it closes if it has not been copied. */
export function SecretDialog({ secret, onClose, finalFocus }: Props) {
  const id = useId()
  const [isCopied, setIsCopied] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  function leave(): void {
    isCopied ? onClose() : setIsLeaving(true)
  }
  async function copy(): Promise<boolean> {
    const isDone = await copyText(secret)
    if (isDone) setIsCopied(true)
    return isDone
  }
  return (
    <Dialog
      open
      onClose={leave}
      title="Webhook added"
      finalFocus={finalFocus}
      footer={
        <Button variant="primary" onClick={leave}>
          Done
        </Button>
      }
    >
      <Banner tone="warning">Copy this secret now. You won’t see it again.</Banner>
      <label htmlFor={id} className="mt-5 block font-medium text-sm">
        Secret
      </label>
      <div className="mt-1.5 flex items-center gap-2">
        <TextInput
          id={id}
          readOnly
          value={secret}
          onFocus={selectFromStart}
          onCopy={() => setIsCopied(true)}
          className="font-mono"
        />
        <CopyButton label="Copy the secret" onCopy={copy} />
      </div>
      <p className="mt-2 text-muted text-xs">
        With it, the receiver checks that an event comes from here. Its libraries for Standard Webhooks take
        the secret as it is.
      </p>
      <ConfirmDialog
        open={isLeaving}
        title="Close without copying the secret?"
        confirmLabel="Close"
        cancelLabel="Back"
        onConfirm={onClose}
        onCancel={() => setIsLeaving(false)}
      >
        You won’t see this secret again. Without a copy, you can only remove the webhook and add it again.
      </ConfirmDialog>
    </Dialog>
  )
}
