import type { User } from '@lyceum/contract/auth'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useEndSessions } from './mutations.ts'

interface Props {
  user: Pick<User, '_id' | 'name'>
  onClose: () => void
}

/** Confirms ending all sessions of a user. */
export function SignOutDialog({ user, onClose }: Props) {
  const endSessions = useEndSessions(user._id)
  return (
    <ConfirmDialog
      open
      title="Sign out everywhere?"
      confirmLabel="Sign out everywhere"
      busy={endSessions.isPending}
      onConfirm={() => endSessions.mutate(undefined, { onSettled: onClose })}
      onCancel={onClose}
    >
      <p>
        This ends every session of <bdi>{user.name}</bdi>. Running replies continue and are saved.
      </p>
    </ConfirmDialog>
  )
}
