import { setImmediate } from 'node:timers/promises'
import { formatDay } from '@lyceum/contract/analytics'
import { visitorDays } from '@lyceum/contract/embedding'
import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { deleteEarlierVisitorUsage } from '../analytics/count-usage.ts'
import { audit } from '../audit/append.ts'
import { keepChannelUnchanged } from '../channels/access.ts'
import { findChannelNames } from '../channels/channel-names.ts'
import { deleteVisitors, listOldVisitors, listVisitors, lockOldVisitors } from './visitor-store.ts'

const day = 24 * 3_600_000
/** Of one transaction, which blocks other writers on SQLite. */
const visitorsPerBatch = 50

async function auditDeletion(deps: Deps, tx: Tx, channelIds: readonly string[]): Promise<void> {
  const byChannel = Map.groupBy(channelIds, (id) => id)
  const names = await findChannelNames(tx, [...byChannel.keys()])
  for (const [id, visitors] of byChannel) {
    const name = names.get(id)
    await audit(deps, tx, {
      actor: null,
      action: 'retention.visitors-deleted',
      object: { type: 'channel', id, ...(name === undefined ? {} : { name }) },
      after: { days: visitorDays, visitors: visitors.length },
    })
  }
}

/** Deletes visitors some time after their last message, with their chats. What they asked on earlier days is forgotten, too. */
export async function deleteOldVisitors(deps: Deps, signal: AbortSignal): Promise<void> {
  await deleteEarlierVisitorUsage(deps.db, formatDay(deps.now()))
  const before = deps.now() - visitorDays * day
  for (;;) {
    signal.throwIfAborted()
    const old = await listOldVisitors(deps.db, before, visitorsPerBatch)
    if (old.size === 0) return
    await deps.db.transaction().execute(async (tx) => {
      // Before the visitors: deleting a channel locks it before its chats and visitors.
      for (const id of new Set([...old.values()].toSorted())) await keepChannelUnchanged(tx, id)
      const channels = await lockOldVisitors(tx, [...old.keys()], before)
      if (channels.size === 0) return
      for (const id of channels.keys()) await deps.lifecycle.onUserDeleting(deps, tx, id)
      await deleteVisitors(tx, [...channels.keys()])
      await auditDeletion(deps, tx, [...channels.values()])
    })
    await setImmediate()
  }
}

/** Runs in the transaction that deletes the channel, after its chats were deleted. */
export async function deleteVisitorsOfChannel(tx: Tx, channelId: string): Promise<void> {
  for (;;) {
    const ids = await listVisitors(tx, channelId, visitorsPerBatch)
    if (ids.length === 0) return
    await deleteVisitors(tx, ids)
    await setImmediate()
  }
}
