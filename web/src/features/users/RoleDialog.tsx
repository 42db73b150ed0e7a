import type { User } from '@lyceum/contract/auth'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useSetRole } from './mutations.ts'
import { UserLine } from './UserLine.tsx'

interface Props {
  user: User
  onChanged: (user: User) => void
  onClose: () => void
}

function Promotion() {
  return (
    <ul className="mt-2 list-disc ps-5">
      <li>
        The administration opens: users, channels, documents and settings, as far as you may use them
        yourself.
      </li>
      <li>Rights that were taken from an administrator before stay taken.</li>
      <li>Chat histories and the audit log stay closed until a system administrator opens them.</li>
      <li>The person is signed out and signs in anew.</li>
    </ul>
  )
}

function Demotion({ user }: { user: User }) {
  return (
    <ul className="mt-2 list-disc ps-5">
      <li>The administration closes, and with it every right of an administrator.</li>
      <li>Rights that were taken from them are remembered, should they become one again.</li>
      {user.isSystemAdmin && <li>The rights of a system administrator go as well.</li>}
      <li>Channels and chats stay.</li>
      <li>The person is signed out and signs in anew.</li>
    </ul>
  )
}

/** Asks before a user becomes an administrator, or an administrator a user. */
export function RoleDialog({ user, onChanged, onClose }: Props) {
  const setRole = useSetRole(user)
  const isAdmin = user.role === 'admin'
  return (
    <ConfirmDialog
      open
      title={isAdmin ? 'Remove from administrators?' : 'Make this person an administrator?'}
      confirmLabel={isAdmin ? 'Remove from administrators' : 'Make administrator'}
      tone={isAdmin ? 'danger' : 'primary'}
      busy={setRole.isPending}
      onConfirm={() =>
        setRole.mutate(isAdmin ? 'user' : 'admin', { onSuccess: onChanged, onSettled: onClose })
      }
      onCancel={onClose}
    >
      <p className="font-medium text-ink">
        <UserLine user={user} />
      </p>
      {isAdmin ? <Demotion user={user} /> : <Promotion />}
    </ConfirmDialog>
  )
}
