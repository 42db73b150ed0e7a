import type { User } from '@lyceum/contract/auth'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useSetRole } from './mutations.ts'

interface Props {
  user: User
  onChanged: (user: User) => void
  onClose: () => void
}

function PromotionConsequences() {
  return (
    <ul className="mt-2 list-disc ps-5">
      <li>
        They can use the admin area (users, channels, documents and settings) with the permissions you have.
      </li>
      <li>Previously removed permissions stay removed.</li>
      <li>Only a system administrator can give access to chat histories and the audit log.</li>
      <li>They will be signed out and must sign in again.</li>
    </ul>
  )
}

function DemotionConsequences({ user }: { user: User }) {
  return (
    <ul className="mt-2 list-disc ps-5">
      <li>They lose access to the admin area and all admin permissions.</li>
      <li>Their permission settings are kept in case you promote them again.</li>
      {user.isSystemAdmin && <li>They are no longer a system administrator.</li>}
      <li>Their channels and chats are kept.</li>
      <li>They will be signed out and must sign in again.</li>
    </ul>
  )
}

/** Confirms promoting a user or demoting an administrator. */
export function RoleDialog({ user, onChanged, onClose }: Props) {
  const setRole = useSetRole(user)
  const isAdmin = user.role === 'admin'
  return (
    <ConfirmDialog
      open
      title={isAdmin ? 'Remove from administrators?' : 'Make this user an administrator?'}
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
      {isAdmin ? <DemotionConsequences user={user} /> : <PromotionConsequences />}
    </ConfirmDialog>
  )
}
