import type { Invitation } from '@lyceum/contract/invitations'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useRemoveInvitation } from './mutations.ts'

interface Props {
  invitation: Invitation
  onClose: () => void
}

/** Asks before an invitation goes. */
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
          ? 'It leaves the list. Its link has stopped working already.'
          : 'Its link stops working at once. The address can be invited again.'}
      </p>
    </ConfirmDialog>
  )
}
