import type { UserAccess } from '@lyceum/contract/groups'
import { listMaximum } from '@lyceum/contract/wire'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { requireUser } from '../users/access.ts'
import { listGrantsOf } from '../users/grants.ts'
import { toMemberEditor } from './access.ts'
import { listChannelsOfUser, listGroupsGiving, toTarget } from './access-store.ts'
import { byHand, findSourceNames, listMemberships } from './member-store.ts'
import { presentSources } from './sources.ts'
import { findChangeableGroupIds, parsePermissions } from './store.ts'

/** The channels are those that the actor can see. Access without a grant was given by hand. */
export async function getUserAccess({ db }: Deps, actor: Actor, userId: string): Promise<UserAccess> {
  await requireUser(db, userId)
  const sourceNames = await findSourceNames(db)
  const memberships = Map.groupBy(await listMemberships(db, userId), ({ id }) => id)
  const grants = Map.groupBy(await listGrantsOf(db, userId), ({ target }) => target as string)
  const giving = Map.groupBy(await listGroupsGiving(db, userId), ({ channel_id }) => channel_id)
  const editor = toMemberEditor(actor)
  const changeable = await findChangeableGroupIds(db, [...memberships.keys()], editor)
  const channels = await listChannelsOfUser(db, userId, { seenBy: editor.seenBy, limit: listMaximum })
  return {
    groups: [...memberships].flatMap(([id, [first, ...rest]]) => {
      if (!first) return []
      const sources = [first, ...rest].map(({ source }) => source)
      return [
        {
          _id: id,
          name: first.name,
          permissions: parsePermissions(first),
          ...presentSources(sources, sourceNames),
          canChangeMembers: changeable.has(id),
        },
      ]
    }),
    channels: channels.map(({ id, name }) => {
      const sources = (grants.get(toTarget(id)) ?? []).map(({ source }) => source)
      return {
        _id: id,
        name,
        ...presentSources(sources.length === 0 ? [byHand] : sources, sourceNames),
        groups: (giving.get(id) ?? []).map((group) => ({ _id: group.id, name: group.name })),
      }
    }),
  }
}
