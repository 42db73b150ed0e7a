import type { ChannelQuota, Quota, QuotaLeft, UserQuota } from '@lyceum/contract/quotas'
import type { Executor } from '#db/client.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { getChannelUsage, getUserUsage } from '../analytics/usage.ts'
import { audit } from '../audit/append.ts'
import { requireLockedChannel, requireMember, requireVisibleChannel } from '../channels/access.ts'
import { requireAuthorityOver, requireLockedUser, requireUser } from '../users/access.ts'
import { findLowestQuotaLeft, unlimited } from './spend-quota.ts'
import { deleteQuota, type QuotaOwner, readQuotas, writeQuota } from './store.ts'

async function readQuota(db: Executor, owner: QuotaOwner): Promise<Quota | null> {
  return (await readQuotas(db, [owner]))[0] ?? null
}

export async function getGeneralQuota({ db }: Deps): Promise<Quota> {
  return (await readQuota(db, 'everybody')) ?? unlimited
}

export function changeGeneralQuota(deps: Deps, actor: Actor, quota: Quota): Promise<Quota> {
  return deps.db.transaction().execute(async (tx) => {
    const before = (await readQuota(tx, 'everybody')) ?? unlimited
    await writeQuota(tx, 'everybody', quota, deps.now())
    await audit(deps, tx, { actor, action: 'quota.changed', before: { ...before }, after: { ...quota } })
    return quota
  })
}

async function presentUserQuota(deps: Deps, db: Executor, userId: string): Promise<UserQuota> {
  const [own = null, everybody = null] = await readQuotas(db, [{ userId }, 'everybody'])
  return { own, everybody: everybody ?? unlimited, used: await getUserUsage(db, userId, deps.now()) }
}

export async function getUserQuota(deps: Deps, userId: string): Promise<UserQuota> {
  await requireUser(deps.db, userId)
  return presentUserQuota(deps, deps.db, userId)
}

/** A null `quota` removes the user's own limits, so that the general ones apply again. */
export function changeUserQuota(
  deps: Deps,
  actor: Actor,
  userId: string,
  quota: Quota | null,
): Promise<UserQuota> {
  requirePermission(actor, 'canEditUsers')
  return deps.db.transaction().execute(async (tx) => {
    const user = await requireLockedUser(tx, userId)
    // A limit of 0 prevents chatting, so only system administrators may limit other system administrators.
    requireAuthorityOver(actor, user)
    const owner = { userId }
    const before = await readQuota(tx, owner)
    if (quota === null) await deleteQuota(tx, owner)
    else await writeQuota(tx, owner, quota, deps.now())
    const presented = await presentUserQuota(deps, tx, userId)
    await audit(deps, tx, {
      actor,
      action: 'quota.changed',
      object: { type: 'user', id: user.id, name: user.name },
      before: { ...before },
      after: { ...quota },
    })
    return presented
  })
}

async function presentChannelQuota(deps: Deps, db: Executor, channelId: string): Promise<ChannelQuota> {
  return {
    quota: (await readQuota(db, { channelId })) ?? unlimited,
    used: await getChannelUsage(db, channelId, deps.now()),
  }
}

export async function getChannelQuota(deps: Deps, actor: Actor, channelId: string): Promise<ChannelQuota> {
  await requireVisibleChannel(deps.db, actor, channelId)
  return presentChannelQuota(deps, deps.db, channelId)
}

export function changeChannelQuota(
  deps: Deps,
  actor: Actor,
  channelId: string,
  quota: Quota,
): Promise<ChannelQuota> {
  return deps.db.transaction().execute(async (tx) => {
    const { name } = await requireVisibleChannel(tx, actor, channelId)
    // Another request may delete the channel or change its limits at the same time.
    await requireLockedChannel(tx, channelId)
    const owner = { channelId }
    const before = (await readQuota(tx, owner)) ?? unlimited
    await writeQuota(tx, owner, quota, deps.now())
    const presented = await presentChannelQuota(deps, tx, channelId)
    await audit(deps, tx, {
      actor,
      action: 'quota.changed',
      object: { type: 'channel', id: channelId, name },
      before: { ...before },
      after: { ...quota },
    })
    return presented
  })
}

export async function getOwnQuotaLeft(
  deps: Deps,
  actor: Actor,
  channelId: string,
): Promise<{ left: QuotaLeft | null }> {
  await requireMember(deps.db, actor, channelId)
  return { left: await findLowestQuotaLeft(deps.db, actor.userId, channelId, deps.now()) }
}
