import { lazyComponent } from '#lib/lazy-component.tsx'
import type { DialogProps } from './DialogWindow.tsx'
import { showDialogLoadError } from './dialog-loading.ts'

const DialogWindow = lazyComponent(async () => (await import('./DialogWindow.tsx')).DialogWindow)

/** Loads the code of dialogs, so that the first one opens at once. */
export const preloadDialog = DialogWindow.preload

/** A dialog above the page. Its code is not part of the pages, which would take longer to load. */
export function Dialog(props: DialogProps) {
  const { open, onClose } = props
  function handleLoadError(): void {
    showDialogLoadError()
    onClose()
  }
  return <DialogWindow open={open} onLoadError={handleLoadError} props={props} />
}
