import type { GroupDetail } from '@lyceum/contract/groups'
import { type Permission, permissionNames } from '@lyceum/contract/permissions'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { groupObject, lockGroupsAs, requireGroup } from './access.ts'
import { listMemberIds, refreshPermissions } from './access-store.ts'
import { getGroupDetail } from './groups.ts'
import { parsePermissions, storePermissions } from './store.ts'

/** Only for system administrators, who have every permission that they give away here. */
export async function setGroupPermissions(
  deps: Deps,
  actor: Actor,
  id: string,
  chosen: readonly Permission[],
): Promise<GroupDetail> {
  await deps.db.transaction().execute(async (tx) => {
    const current = await lockGroupsAs(tx, actor)
    if (!current.isSystemAdmin) throw new AppError('permission.denied')
    const group = await requireGroup(tx, id)
    const permissions = permissionNames.filter((name) => chosen.includes(name))
    const changes = findChanges({ permissions: parsePermissions(group) }, { permissions })
    if (!changes) return
    await storePermissions(tx, id, permissions)
    await refreshPermissions(tx, await listMemberIds(tx, id))
    await audit(deps, tx, {
      actor,
      action: 'group.permissions-changed',
      object: groupObject(group),
      ...changes,
    })
  })
  return getGroupDetail(deps, actor, id)
}
