import { lazyComponent } from '#lib/lazy-component.tsx'
import type { ConfirmDialogProps } from './ConfirmDialogWindow.tsx'
import { showDialogLoadError } from './dialog-loading.ts'

const ConfirmDialogWindow = lazyComponent(
  async () => (await import('./ConfirmDialogWindow.tsx')).ConfirmDialogWindow,
)

/** Loads the code of confirmations, so that the first one opens at once. */
export const preloadConfirmDialog = ConfirmDialogWindow.preload

/** Asks for confirmation before an action that cannot be undone. Its code is not part of the pages. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onCancel } = props
  function handleLoadError(): void {
    showDialogLoadError()
    onCancel()
  }
  return <ConfirmDialogWindow open={open} onLoadError={handleLoadError} props={props} />
}
