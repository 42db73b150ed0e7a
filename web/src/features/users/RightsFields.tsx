import type { Permission, Permissions } from '@lyceum/contract/permissions'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Badge } from '#ui/Status.tsx'
import { isOffByDefault, rightGroups } from './right-groups.ts'

interface Props {
  rights: Permissions
  disabled: boolean
  onChange: (flag: Permission, isGiven: boolean) => void
}

export const RightsFields = ({ rights, disabled, onChange }: Props) => (
  <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
    {rightGroups.map((group) => (
      <fieldset key={group.title} className="min-w-0">
        <legend className="font-medium text-sm">{group.title}</legend>
        {group.rights.map(([flag, label]) => (
          <Checkbox
            key={flag}
            name={flag}
            label={
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                {label}
                {isOffByDefault(flag) && <Badge>Off by default</Badge>}
              </span>
            }
            checked={rights[flag]}
            disabled={disabled}
            onChange={(event) => onChange(flag, event.target.checked)}
          />
        ))}
      </fieldset>
    ))}
  </div>
)
