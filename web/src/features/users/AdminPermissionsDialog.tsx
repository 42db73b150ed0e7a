import type { User } from '@lyceum/contract/auth'
import { type Permissions, permissionsOf } from '@lyceum/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { AdminPermissionsFields } from './AdminPermissionsFields.tsx'
import { useSavePermissions, useSetSystemAdmin } from './mutations.ts'
import { userPermissionsQuery } from './queries.ts'
import { UserLine } from './UserLine.tsx'

const every = permissionsOf({ role: 'admin', isSystemAdmin: true })

interface SwitchProps {
  user: User
  onChanged: (user: User) => void
}

/** Asks before it makes a system administrator, or an ordinary one again. */
function SystemAdminSwitch({ user, onChanged }: SwitchProps) {
  const [isAsking, setIsAsking] = useState(false)
  const change = useSetSystemAdmin(user)
  const { isSystemAdmin } = user
  return (
    <div className="rounded-card border border-hairline bg-surface px-4 py-2 dark:bg-surface-2">
      <Checkbox
        label={<span className="font-medium">System administrator</span>}
        hint="Holds every right and decides on those of the other administrators."
        checked={isSystemAdmin}
        onChange={() => setIsAsking(true)}
      />
      <ConfirmDialog
        open={isAsking}
        title={isSystemAdmin ? 'No longer a system administrator?' : 'Make a system administrator?'}
        confirmLabel={isSystemAdmin ? 'Make an ordinary administrator' : 'Make system administrator'}
        tone={isSystemAdmin ? 'danger' : 'primary'}
        busy={change.isPending}
        onConfirm={() =>
          change.mutate(!isSystemAdmin, { onSuccess: onChanged, onSettled: () => setIsAsking(false) })
        }
        onCancel={() => setIsAsking(false)}
      >
        {isSystemAdmin
          ? `${user.name} keeps the rights of an ordinary administrator and no longer decides on those of others.`
          : `${user.name} gets every right, chat histories and the audit log among them, and can change the rights of every administrator, yours too.`}
      </ConfirmDialog>
    </div>
  )
}

interface Props {
  user: User
  onChanged: (user: User) => void
  onClose: () => void
}

/** An administrator's permissions, flag by flag. */
export function AdminPermissionsDialog({ user, onChanged, onClose }: Props) {
  // There is nothing to ask for: a system administrator holds them all.
  const stored = useQuery({ ...userPermissionsQuery(user._id), enabled: !user.isSystemAdmin })
  const [changes, setChanges] = useState<Partial<Permissions>>({})
  const save = useSavePermissions(user)
  const held = user.isSystemAdmin ? every : stored.data
  const permissions = held && ({ ...held, ...changes } as Permissions)
  function send(): void {
    if (permissions === undefined) return
    save.mutate(permissions, {
      onSuccess: () => {
        setChanges({})
        onChanged(user)
      },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Administrator Rights"
      description={<UserLine user={user} />}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabled={user.isSystemAdmin || permissions === undefined}
            busy={save.isPending}
            onClick={send}
          >
            Save Rights
          </Button>
        </>
      }
    >
      <ResultBanner className="top-0" />
      <div className="flex flex-col gap-5">
        <SystemAdminSwitch
          user={user}
          onChanged={(changed) => {
            setChanges({})
            onChanged(changed)
          }}
        />
        {user.isSystemAdmin && (
          <p className="text-muted text-sm">
            A system administrator holds every right. None can be taken away.
          </p>
        )}
        {permissions !== undefined && (
          <AdminPermissionsFields
            permissions={permissions}
            disabled={user.isSystemAdmin}
            onChange={(flag, isGiven) => setChanges({ ...changes, [flag]: isGiven })}
          />
        )}
        {permissions === undefined && stored.error === null && <Skeleton className="h-96 rounded-card" />}
        {permissions === undefined && stored.error !== null && (
          <div className="flex flex-col items-start gap-3">
            <Banner tone="danger">{messageOf(stored.error, 'The rights could not be loaded.')}</Banner>
            <Button onClick={() => void stored.refetch()}>Try again</Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
