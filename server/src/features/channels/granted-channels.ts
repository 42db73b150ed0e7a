import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit, userObject } from '../audit/append.ts'
import { requireLockedUser } from '../users/access.ts'
import { type GrantTarget, listGrantsOf, planGrants, recordGrant } from '../users/grants.ts'
import { lockExistingChannels } from './access.ts'
import { findChannelNames } from './channel-names.ts'
import { joinChannels } from './membership.ts'
import { deleteMember, findJoinedChannelIds } from './store.ts'

interface GrantedChannels {
  userId: string
  source: string
  channelIds: readonly string[]
  client: Client
}

function toTarget(channelId: string): GrantTarget {
  return `channel:${channelId}`
}

function toChannelId(target: GrantTarget): string {
  return target.slice('channel:'.length)
}

/** Adds a user to channels because a source says so, and removes them from those that it no longer names. */
async function changeMembership(
  deps: Deps,
  tx: Tx,
  { userId, source, channelIds, client }: GrantedChannels,
): Promise<string[]> {
  // In the order in which others lock them. Groups change members under the same locks.
  const given = await listGrantsOf(tx, userId)
  const ofSource = given.filter((grant) => grant.source === source && grant.target.startsWith('channel:'))
  await lockExistingChannels(tx, [...channelIds, ...ofSource.map(({ target }) => toChannelId(target))])
  const user = userObject(await requireLockedUser(tx, userId))
  const before = new Set(await findJoinedChannelIds(tx, userId, channelIds))
  const plan = await planGrants(tx, userId, { source, kind: 'channel' }, channelIds.map(toTarget))
  const ours = channelIds.filter((channelId) => !before.has(channelId) || plan.isGranted(toTarget(channelId)))
  const joined = await joinChannels(tx, userId, ours, deps.now())
  // Those that exist: `joinChannels` skips the others.
  for (const channelId of await findJoinedChannelIds(tx, userId, ours))
    await recordGrant(tx, userId, toTarget(channelId), source, deps.now())
  const left: string[] = []
  for (const channelId of plan.withdrawn.map(toChannelId).toSorted())
    if (await deleteMember(tx, channelId, userId)) left.push(channelId)
  const names = await findChannelNames(tx, [...joined, ...left])
  for (const channelId of joined)
    await audit(deps, tx, {
      actor: null,
      client,
      action: 'access.granted',
      object: user,
      after: { channelId, channel: names.get(channelId), source },
    })
  for (const channelId of left)
    await audit(deps, tx, {
      actor: null,
      client,
      action: 'access.revoked',
      object: user,
      before: { channelId, channel: names.get(channelId), source },
    })
  return left
}

export async function applyGrantedChannels(deps: Deps, granted: GrantedChannels): Promise<void> {
  const left = await deps.db.transaction().execute((tx) => changeMembership(deps, tx, granted))
  for (const channelId of left) await deps.lifecycle.onAccessLost(deps, { userId: granted.userId, channelId })
}
