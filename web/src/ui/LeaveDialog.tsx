import { useLeaveGuard } from '#lib/leave-guard.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

interface Props {
  /** Whether leaving the page would lose input. */
  isChanged: boolean
  /** Text of the confirmation, such as 'The connections have not been saved.' */
  unsavedText: string
}

/** Asks before the user leaves a page with unsaved input. */
export function LeaveDialog({ isChanged, unsavedText }: Props) {
  const { isAsking, leave, stay } = useLeaveGuard(isChanged)
  return (
    <ConfirmDialog
      open={isAsking}
      title="Discard your changes?"
      confirmLabel="Discard"
      onConfirm={leave}
      onCancel={stay}
    >
      {unsavedText}
    </ConfirmDialog>
  )
}
