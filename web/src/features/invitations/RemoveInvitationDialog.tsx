import type { Invitation } from '@lyceum/contract/invitations'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useRemoveInvitation } from './mutations.ts'

interface Props {
  invitation: Invitation
  onClose: () => void
}

/** Confirms cancelling a pending invitation or deleting an expired one. */
export function RemoveInvitationDialog({ invitation, onClose }: Props) {
  const remove = useRemoveInvitation()
  const isExpired = invitation.status === 'expired'
  return (
    <ConfirmDialog
      open
      title={isExpired ? 'Delete this expired invitation?' : 'Cancel this invitation?'}
      confirmLabel={isExpired ? 'Delete invitation' : 'Cancel invitation'}
      cancelLabel={isExpired ? 'Cancel' : 'Keep it'}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(invitation, { onSettled: onClose })}
      onCancel={onClose}
    >
      <p className="wrap-anywhere font-medium text-ink">
        {invitation.fullName} · {invitation.email}
      </p>
      <p className="mt-2">
        {isExpired
          ? 'It will be removed from the list. The link no longer works.'
          : 'The link stops working immediately. You can invite this address again.'}
      </p>
    </ConfirmDialog>
  )
}
