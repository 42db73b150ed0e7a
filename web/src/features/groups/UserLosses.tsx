import type { UserAccess } from '@lyceum/contract/groups'
import type { Permission, Permissions } from '@lyceum/contract/permissions'
import { formatCount } from '#lib/format-count.ts'
import { listLostChannels, listLostPermissions } from './user-losses.ts'

export type PermissionLabels = ReadonlyMap<Permission, string>

interface Props {
  userName: string
  access: UserAccess
  group: { _id: string }
  /** The permissions set for the user; null if groups give them none. */
  own: Permissions | null
  permissionLabels: PermissionLabels
}

/** Which channels and permissions a user loses with a group. */
export function UserLosses({ userName, access, group, own, permissionLabels }: Props) {
  const channels = listLostChannels(access, group._id)
  const permissions = own === null ? [] : listLostPermissions(access, group._id, own)
  const name = <bdi>{userName}</bdi>
  if (channels.length === 0 && permissions.length === 0)
    return <p className="mt-2">{name} loses no channels or permissions.</p>
  return (
    <>
      {channels.length > 0 && (
        <>
          <p className="mt-2">
            {name} will lose access to {formatCount(channels.length, 'channel')}:
          </p>
          <ul className="mt-1 max-h-48 list-disc overflow-y-auto ps-5">
            {channels.map((channel) => (
              <li key={channel._id} className="wrap-anywhere">
                <bdi>{channel.name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {permissions.length > 0 && (
        <>
          <p className="mt-2">
            {name} will lose {formatCount(permissions.length, 'permission')}:
          </p>
          <ul className="mt-1 list-disc ps-5">
            {permissions.map((permission) => (
              <li key={permission}>{permissionLabels.get(permission)}</li>
            ))}
          </ul>
        </>
      )}
      {channels.length > 0 && <p className="mt-2">Their chats are kept and return if access is restored.</p>}
    </>
  )
}
