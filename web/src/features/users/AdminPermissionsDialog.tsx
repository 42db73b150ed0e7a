import type { User } from '@lyceum/contract/auth'
import { getPermissions, type Permissions, permissionNames } from '@lyceum/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { SaveButton } from '#ui/SaveButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { AdminPermissionsFields } from './AdminPermissionsFields.tsx'
import { useSavePermissions, useSetSystemAdmin } from './mutations.ts'
import type { GivenPermissions } from './PermissionSummary.tsx'
import { userPermissionsQuery } from './queries.ts'

const allPermissions = getPermissions({ role: 'admin', isSystemAdmin: true })

interface SwitchProps {
  user: User
  onChanged: (user: User) => void
}

/** Makes a user a system administrator or an ordinary administrator, after confirmation. */
function SystemAdminSwitch({ user, onChanged }: SwitchProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const change = useSetSystemAdmin(user)
  const { isSystemAdmin } = user
  return (
    <div className="rounded-card border border-hairline bg-surface px-4 py-2 dark:bg-surface-2">
      <Checkbox
        label={<span className="font-medium">System administrator</span>}
        hint="Has all permissions and manages those of other administrators."
        checked={isSystemAdmin}
        onChange={() => setIsConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        title={isSystemAdmin ? 'Remove as system administrator?' : 'Make this user a system administrator?'}
        confirmLabel={isSystemAdmin ? 'Remove as system administrator' : 'Make system administrator'}
        tone={isSystemAdmin ? 'danger' : 'primary'}
        busy={change.isPending}
        onConfirm={() =>
          change.mutate(!isSystemAdmin, { onSuccess: onChanged, onSettled: () => setIsConfirming(false) })
        }
        onCancel={() => setIsConfirming(false)}
      >
        {isSystemAdmin
          ? `${user.name} keeps the permissions of an ordinary administrator but can no longer change those of others.`
          : `${user.name} gets all permissions, including chat histories and the audit log, and can change the permissions of every administrator, including yours.`}
      </ConfirmDialog>
    </div>
  )
}

interface Props {
  user: User
  /** What the groups of the user give; undefined while it is not known. */
  given: GivenPermissions | undefined
  onChanged: (user: User) => void
  onClose: () => void
}

/** Edits an administrator's permissions. */
export function AdminPermissionsDialog({ user, given, onChanged, onClose }: Props) {
  // The server stores no permissions for system administrators, who have all of them.
  const stored = useQuery({ ...userPermissionsQuery(user._id), enabled: !user.isSystemAdmin })
  const [changes, setChanges] = useState<Partial<Permissions>>({})
  const save = useSavePermissions(user)
  const current = user.isSystemAdmin ? allPermissions : stored.data
  const permissions = current && ({ ...current, ...changes } as Permissions)
  const isChanged = permissionNames.some((name) => permissions?.[name] !== current?.[name])
  const unsaved = useUnsavedInput({ isChanged, isSaving: save.isPending, onClose })
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
      onClose={unsaved.close}
      title="Administrator Permissions"
      description={<UserLine user={user} />}
      footer={
        <>
          <Button onClick={unsaved.close}>Close</Button>
          <SaveButton isChanged={isChanged} busy={save.isPending} onClick={send}>
            Save Permissions
          </SaveButton>
        </>
      }
    >
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
            System administrators have all permissions. None can be removed.
          </p>
        )}
        {permissions !== undefined && (
          <AdminPermissionsFields
            permissions={permissions}
            given={user.isSystemAdmin ? undefined : given}
            disabled={user.isSystemAdmin}
            onChange={(permission, isGranted) => setChanges({ ...changes, [permission]: isGranted })}
          />
        )}
        {permissions === undefined && stored.error === null && <Skeleton className="h-96 rounded-card" />}
        {permissions === undefined && stored.error !== null && (
          <div className="flex flex-col items-start gap-3">
            <Banner tone="danger">{messageOf(stored.error, 'The permissions could not be loaded.')}</Banner>
            <Button onClick={() => void stored.refetch()}>Try again</Button>
          </div>
        )}
      </div>
      <DiscardDialog {...unsaved.question}>The permissions have not been saved.</DiscardDialog>
    </Dialog>
  )
}
