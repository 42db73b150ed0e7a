import type { User } from '@lyceum/contract/auth'
import { permissionNames } from '@lyceum/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { permissionGroups } from './permission-groups.ts'
import { userPermissionsQuery } from './queries.ts'

const labels = permissionGroups.flatMap(({ permissions }) => permissions)

/** How many permissions an administrator has and which are missing. Only system administrators can load them. */
export function PermissionSummary({ user }: { user: User }) {
  const { data, error, refetch } = useQuery({
    ...userPermissionsQuery(user._id),
    enabled: !user.isSystemAdmin,
    meta: { quiet: true },
  })
  if (user.isSystemAdmin)
    return <p className="text-sm">All {permissionNames.length} permissions, as a system administrator.</p>
  if (data === undefined && error === null) return <Skeleton className="h-6" />
  if (data === undefined)
    return (
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-danger">{messageOf(error, 'The permissions could not be loaded.')}</p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  const missing = labels.filter(([permission]) => !data[permission]).map(([, label]) => label)
  return (
    <div className="text-sm">
      <p>
        {labels.length - missing.length} of {labels.length} permissions
      </p>
      {missing.length > 0 && <p className="mt-1 text-muted">Missing: {missing.join(' · ')}</p>}
    </div>
  )
}
