import {
  findMissingPermission,
  type Permission,
  type Permissions,
  permissionNames,
} from '@lyceum/contract/permissions'
import { Fragment, type ReactNode } from 'react'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Badge } from '#ui/Status.tsx'
import type { GivenPermissions } from './PermissionSummary.tsx'
import { isOffByDefault, permissionGroups } from './permission-groups.ts'

/** Said of a permission that has no effect because this one is missing. */
const prerequisiteHints: Partial<Record<Permission, string>> = {
  canAccessAdminPanel: 'Also needs access to the admin area.',
  canViewChatHistory: 'Also needs the permission to view chat histories.',
}

interface Props {
  permissions: Permissions
  /** What the users have in addition to these. */
  others?: Permissions
  /** The groups of the user that give a permission anyway. */
  given?: GivenPermissions | undefined
  disabled: boolean
  onChange: (permission: Permission, isGranted: boolean) => void
}

interface GivenByProps {
  groups: readonly { _id: string; name: string }[]
  /** Whether the permission is set for the user, too. */
  isOwn: boolean
}

function GivenBy({ groups, isOwn }: GivenByProps) {
  return (
    <span className="wrap-anywhere">
      {isOwn ? 'Also given by ' : 'Given by '}
      {groups.map(({ _id, name }, index) => (
        <Fragment key={_id}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      .
    </span>
  )
}

export function AdminPermissionsFields({ permissions, others, given, disabled, onChange }: Props) {
  const effective = Object.fromEntries(
    permissionNames.map((name) => [
      name,
      permissions[name] || others?.[name] === true || given?.has(name) === true,
    ]),
  ) as Permissions
  function describeMissing(permission: Permission): string | undefined {
    const isGranted = permissions[permission] || given?.has(permission) === true
    const missing = isGranted ? findMissingPermission(effective, permission) : null
    return missing === null ? undefined : prerequisiteHints[missing]
  }
  function describe(permission: Permission): ReactNode {
    const groups = given?.get(permission)
    const missing = describeMissing(permission)
    if (groups === undefined) return missing
    return (
      <>
        <GivenBy groups={groups} isOwn={permissions[permission]} /> {missing}
      </>
    )
  }
  return (
    <div className="sm:columns-2 sm:gap-6">
      {permissionGroups.map((group) => (
        <fieldset key={group.title} className="mb-4 min-w-0 break-inside-avoid">
          <legend className="font-medium text-sm">{group.title}</legend>
          {group.permissions.map(([permission, label]) => (
            <Checkbox
              key={permission}
              name={permission}
              label={
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  {label}
                  {others === undefined && isOffByDefault(permission) && <Badge>Off by default</Badge>}
                </span>
              }
              hint={describe(permission)}
              checked={permissions[permission]}
              disabled={disabled}
              onChange={(event) => onChange(permission, event.target.checked)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
