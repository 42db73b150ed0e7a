import { ConfirmDialog } from './ConfirmDialog.tsx'

interface Props {
  open: boolean
  /** What would be lost, such as 'The name has not been saved.' */
  children: string
  onDiscard: () => void
  onKeep: () => void
}

/** Asks before input is lost. */
export function DiscardDialog({ open, children, onDiscard, onKeep }: Props) {
  return (
    <ConfirmDialog
      open={open}
      title="Discard your changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={onDiscard}
      onCancel={onKeep}
    >
      {children}
    </ConfirmDialog>
  )
}
