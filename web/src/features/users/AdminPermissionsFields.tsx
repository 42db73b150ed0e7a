import {
  findMissingPermission,
  type Permission,
  type Permissions,
  permissionNames,
} from '@lyceum/contract/permissions'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Badge } from '#ui/Status.tsx'
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
  disabled: boolean
  onChange: (permission: Permission, isGranted: boolean) => void
}

export function AdminPermissionsFields({ permissions, others, disabled, onChange }: Props) {
  const effective = Object.fromEntries(
    permissionNames.map((name) => [name, permissions[name] || others?.[name] === true]),
  ) as Permissions
  function describeMissing(permission: Permission): string | undefined {
    const missing = permissions[permission] ? findMissingPermission(effective, permission) : null
    return missing === null ? undefined : prerequisiteHints[missing]
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
              hint={describeMissing(permission)}
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
