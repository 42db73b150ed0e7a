import { useLeaveGuard } from '#lib/leave-guard.ts'
import { DiscardDialog } from './DiscardDialog.tsx'

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
    <DiscardDialog open={isAsking} onDiscard={leave} onKeep={stay}>
      {unsavedText}
    </DiscardDialog>
  )
}
