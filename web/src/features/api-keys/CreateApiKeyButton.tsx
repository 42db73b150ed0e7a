import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { Button } from '#ui/Button.tsx'
import { showDialogLoadError } from '#ui/dialog-loading.ts'
import type { KeyOwner } from './queries.ts'

const CreateApiKeyDialog = lazyComponent(
  async () => (await import('./CreateApiKeyDialog.tsx')).CreateApiKeyDialog,
)

export function CreateApiKeyButton({ owner }: { owner: KeyOwner }) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  function close(): void {
    setIsOpen(false)
  }
  return (
    <>
      <Button ref={button} size="small" onClick={() => setIsOpen(true)}>
        <Plus aria-hidden="true" className="size-4" />
        Create API key
      </Button>
      {isOpen && (
        <CreateApiKeyDialog
          open
          onLoadError={() => {
            showDialogLoadError()
            close()
          }}
          props={{ owner, finalFocus: () => button.current ?? true, onClose: close }}
        />
      )}
    </>
  )
}
