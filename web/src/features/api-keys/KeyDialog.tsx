import type { CreatedApiKey } from '@lyceum/contract/api-keys'
import { useId, useState } from 'react'
import { copyText } from '#lib/copy-text.ts'
import { selectFromStart } from '#lib/select-from-start.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { KeyGuide } from './KeyGuide.tsx'

interface Props {
  created: CreatedApiKey
  finalFocus: () => HTMLElement | boolean
  onClose: () => void
}

/** Shows a new key, this once. Asks before it closes if the key has not been copied. */
export function KeyDialog({ created: { name, scopes, key }, finalFocus, onClose }: Props) {
  const id = useId()
  const [isCopied, setIsCopied] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  function leave(): void {
    isCopied ? onClose() : setIsLeaving(true)
  }
  async function copy(): Promise<boolean> {
    const isDone = await copyText(key)
    if (isDone) setIsCopied(true)
    return isDone
  }
  return (
    <Dialog
      open
      onClose={leave}
      title="API key created"
      description={<bdi className="wrap-anywhere">{name}</bdi>}
      finalFocus={finalFocus}
      footer={
        <Button variant="primary" onClick={leave}>
          Done
        </Button>
      }
    >
      <Banner tone="warning">Copy this key now. You won’t see it again.</Banner>
      <label htmlFor={id} className="mt-5 block font-medium text-sm">
        API key
      </label>
      <div className="mt-1.5 flex items-center gap-2">
        <TextInput
          id={id}
          readOnly
          value={key}
          onFocus={selectFromStart}
          onCopy={() => setIsCopied(true)}
          className="font-mono"
        />
        <CopyButton label="Copy the key" onCopy={copy} />
      </div>
      <p className="mt-2 text-muted text-xs">
        Treat it like a password. If someone else may have seen it, revoke it and create another one.
      </p>
      <div className="mt-5">
        <KeyGuide scopes={scopes} />
      </div>
      <ConfirmDialog
        open={isLeaving}
        title="Close without copying the key?"
        confirmLabel="Close"
        cancelLabel="Back"
        onConfirm={onClose}
        onCancel={() => setIsLeaving(false)}
      >
        You won’t see this key again. Without a copy, you can only revoke it.
      </ConfirmDialog>
    </Dialog>
  )
}
