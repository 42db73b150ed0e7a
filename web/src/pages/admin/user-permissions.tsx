import type { User } from '@lyceum/contract/auth'
import { permissionNames } from '@lyceum/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { userAccessQuery } from '#features/groups/queries.ts'
import { listGivenPermissions } from '#features/groups/user-losses.ts'
import { PermissionSummary } from '#features/users/PermissionSummary.tsx'
import { userPermissionsQuery } from '#features/users/queries.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** The permissions of an administrator, with those of their groups. Only system administrators can load them. */
export function UserPermissions({ user }: { user: User }) {
  const options = { enabled: !user.isSystemAdmin, meta: { quiet: true } }
  const own = useQuery({ ...userPermissionsQuery(user._id), ...options })
  const access = useQuery({ ...userAccessQuery(user._id), ...options })
  if (user.isSystemAdmin)
    return <p className="text-sm">All {permissionNames.length} permissions, as a system administrator.</p>
  if (own.data !== undefined && access.data !== undefined)
    return <PermissionSummary own={own.data} given={listGivenPermissions(access.data.groups)} />
  const error = own.error ?? access.error
  if (error === null) return <Skeleton className="h-6" />
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <p className="text-danger">{messageOf(error, 'The permissions could not be loaded.')}</p>
      <Button size="small" onClick={() => void Promise.all([own.refetch(), access.refetch()])}>
        Try again
      </Button>
    </div>
  )
}
