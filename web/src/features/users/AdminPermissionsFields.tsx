import type { Permission, Permissions } from '@lyceum/contract/permissions'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Badge } from '#ui/Status.tsx'
import { isOffByDefault, permissionGroups } from './permission-groups.ts'

interface Props {
  permissions: Permissions
  disabled: boolean
  onChange: (permission: Permission, isGranted: boolean) => void
}

export function AdminPermissionsFields({ permissions, disabled, onChange }: Props) {
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
                  {isOffByDefault(permission) && <Badge>Off by default</Badge>}
                </span>
              }
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
