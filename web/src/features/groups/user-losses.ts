import type { UserAccess } from '@lyceum/contract/groups'
import type { Permission, Permissions } from '@lyceum/contract/permissions'

/** The permissions that a user's groups give, each with the groups that give it. */
export function listGivenPermissions(
  groups: UserAccess['groups'],
): Map<Permission, { _id: string; name: string }[]> {
  const given = new Map<Permission, { _id: string; name: string }[]>()
  for (const { _id, name, permissions } of groups)
    for (const permission of permissions)
      given.set(permission, [...(given.get(permission) ?? []), { _id, name }])
  return given
}

/** The channels that a user has only from this group. */
export function listLostChannels({ channels }: UserAccess, groupId: string): UserAccess['channels'] {
  return channels.filter(
    ({ isByHand, issuers, directory, groups }) =>
      !isByHand &&
      issuers.length === 0 &&
      directory === undefined &&
      groups.length === 1 &&
      groups[0]?._id === groupId,
  )
}

/** The permissions that an administrator has only from this group. `own` are those set for them. */
export function listLostPermissions({ groups }: UserAccess, groupId: string, own: Permissions): Permission[] {
  return [...listGivenPermissions(groups)].flatMap(([permission, givers]) =>
    !own[permission] && givers.length === 1 && givers[0]?._id === groupId ? [permission] : [],
  )
}
