import type { GroupDetail } from '@lyceum/contract/groups'
import {
  getPermissions,
  type Permission,
  type Permissions,
  permissionNames,
} from '@lyceum/contract/permissions'
import { useState } from 'react'
import { useIsSystemAdmin } from '#features/auth/use-can.ts'
import { useSetGroupPermissions } from '#features/groups/mutations.ts'
import { AdminPermissionsFields } from '#features/users/AdminPermissionsFields.tsx'
import { permissionGroups } from '#features/users/permission-groups.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { SaveButton } from '#ui/SaveButton.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { Section } from './user-section.tsx'

/** What an administrator has without a group, unless a system administrator changed it. */
const defaultPermissions = getPermissions({ role: 'admin', isSystemAdmin: false })
export const permissionLabels = new Map(permissionGroups.flatMap(({ permissions }) => permissions))

interface DialogProps {
  group: GroupDetail
  onClose: () => void
}

function PermissionsDialog({ group, onClose }: DialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set(group.permissions))
  const save = useSetGroupPermissions(group._id)
  const isChanged = permissionNames.some((name) => chosen.has(name) !== group.permissions.includes(name))
  const unsaved = useUnsavedInput({ isChanged, isSaving: save.isPending, onClose })
  const permissions = Object.fromEntries(
    permissionNames.map((name) => [name, chosen.has(name)]),
  ) as Permissions
  function toggle(permission: Permission, isGiven: boolean): void {
    const next = new Set(chosen)
    if (isGiven) next.add(permission)
    else next.delete(permission)
    setChosen(next)
  }
  return (
    <Dialog
      open
      onClose={unsaved.close}
      title="Permissions of the group"
      description={<bdi className="wrap-anywhere">{group.name}</bdi>}
      footer={
        <>
          <Button onClick={unsaved.close}>Cancel</Button>
          <SaveButton
            isChanged={isChanged}
            busy={save.isPending}
            onClick={() => save.mutate([...chosen], { onSuccess: onClose })}
          >
            Save permissions
          </SaveButton>
        </>
      }
    >
      <p className="mb-4 text-muted text-sm">
        Members who are administrators get these as well as their own. Once a group gives permissions, only
        system administrators can change its members or delete it.
        {group.directory !== undefined &&
          ` The directory ${group.directory} decides which administrators are members.`}
      </p>
      <AdminPermissionsFields
        permissions={permissions}
        others={defaultPermissions}
        disabled={false}
        onChange={toggle}
      />
      <DiscardDialog {...unsaved.question}>The permissions have not been saved.</DiscardDialog>
    </Dialog>
  )
}

/** What a group lets its members do while they are administrators. Only system administrators change it. */
export function GroupPermissions({ group }: { group: GroupDetail }) {
  const isSystemAdmin = useIsSystemAdmin()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section
      title="Permissions"
      action={
        isSystemAdmin && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Edit permissions
          </Button>
        )
      }
    >
      {group.permissions.length === 0 ? (
        <p className="text-muted text-sm">This group gives administrators no permissions.</p>
      ) : (
        <p className="text-sm">
          For members who are administrators:{' '}
          {group.permissions.map((name) => permissionLabels.get(name)).join(' · ')}
        </p>
      )}
      {isOpen && <PermissionsDialog group={group} onClose={() => setIsOpen(false)} />}
    </Section>
  )
}
