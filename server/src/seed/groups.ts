import type { Permission } from '@lyceum/contract/permissions'
import type { Deps } from '../deps.ts'
import { addChannels } from '../features/groups/group-channels.ts'
import { setGroupPermissions } from '../features/groups/group-permissions.ts'
import { createGroup } from '../features/groups/groups.ts'
import { addMembers } from '../features/groups/members.ts'
import type { ChannelName } from './channels.ts'
import type { MemberName, SeededUsers } from './users.ts'

interface SeededGroup {
  name: string
  description: string
  channels: readonly ChannelName[]
  members: readonly (MemberName | 'admin')[]
  permissions?: readonly Permission[]
}

/** The reading circle gives some of its members a channel that they have from nowhere else. */
const groups: readonly SeededGroup[] = [
  {
    name: 'Reading circle',
    description: 'Reads a book every month and keeps notes on it.',
    channels: ['library'],
    members: ['layla', 'linh', 'yuki', 'zsofia'],
  },
  {
    name: 'Safety officers',
    description: '',
    channels: ['workshop', 'policies'],
    members: ['admin', 'kwame'],
    permissions: ['canViewAuditLog'],
  },
  { name: 'Visiting students', description: 'Here from June to August.', channels: [], members: [] },
]

/** Creates groups with members, channels and permissions, and one that is still empty. */
export async function addGroups(
  deps: Deps,
  { owner, admin, members }: SeededUsers,
  channelIds: Record<ChannelName, string>,
): Promise<void> {
  for (const group of groups) {
    const { _id } = await createGroup(deps, owner, { name: group.name, description: group.description })
    const actors = group.members.map((name) => (name === 'admin' ? admin : members[name]))
    const ids = group.channels.map((name) => channelIds[name])
    if (ids.length > 0) await addChannels(deps, owner, _id, ids)
    if (actors.length > 0)
      await addMembers(
        deps,
        owner,
        _id,
        actors.map(({ userId }) => userId),
      )
    if (group.permissions) await setGroupPermissions(deps, owner, _id, group.permissions)
  }
}
