import { setImmediate } from 'node:timers/promises'
import { previewMaximum, type RetentionPreview } from '@lyceum/contract/retention'
import type { Tx } from '#db/client.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { audit } from '../../audit/append.ts'
import { requireVisibleChannel } from '../../channels/access.ts'
import { getConversationSettings, getRetentionDays } from '../../settings/conversation-settings.ts'
import { deleteLockedChats } from '../delete-chats.ts'
import {
  countOldChats,
  deleteRun,
  findOwnDays,
  listOldChats,
  listRetentionChannels,
  lockOldChats,
  type OldChat,
  type RetentionChannel,
  type RetentionRun,
  readRun,
  writeRun,
} from './retention-store.ts'

const day = 24 * 3_600_000
const channelsPerPage = 50
/** Limits of one transaction, which blocks other writers on SQLite. */
const chatsPerBatch = 100
const messagesPerBatch = 1000

/** The first chats that together fit into one transaction. A chat above the limit is deleted alone. */
function takeBatch(chats: readonly OldChat[]): string[] {
  let messages = 0
  const fitting = chats.filter((chat, at) => {
    messages += chat.messageCount
    return at === 0 || messages <= messagesPerBatch
  })
  return fitting.map(({ id }) => id)
}

/**
 * Audits what a run deleted in a channel. Each batch stores the counts so far in its own transaction, so that the next
 * run audits them if this one is aborted.
 */
function auditRun(deps: Deps): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const run = await readRun(tx)
    if (!run || !(await deleteRun(tx))) return
    const { channelId, name, days, chats, messages } = run
    await audit(deps, tx, {
      actor: null,
      action: 'retention.applied',
      object: { type: 'channel', id: channelId, name },
      after: { days, chats, messages },
    })
  })
}

async function findRetentionDays(tx: Tx, channelId: string): Promise<number | null> {
  const own = await findOwnDays(tx, channelId)
  return own === undefined ? null : getRetentionDays(own, await getConversationSettings(tx))
}

async function applyToChannel(
  deps: Deps,
  { id, name, days }: RetentionChannel,
  signal: AbortSignal,
): Promise<void> {
  const before = deps.now() - days * day
  let run: RetentionRun = { channelId: id, name, days, chats: 0, messages: 0 }
  for (let isPeriodUnchanged = true; isPeriodUnchanged; ) {
    signal.throwIfAborted()
    const ids = takeBatch(await listOldChats(deps.db, id, before, chatsPerBatch))
    if (ids.length === 0) break
    run = await deps.db.transaction().execute(async (tx) => {
      // The period may have changed since the run began: stop, and let the next run apply the new one.
      isPeriodUnchanged = (await findRetentionDays(tx, id)) === days
      if (!isPeriodUnchanged) return run
      const locked = await lockOldChats(tx, ids, before)
      if (locked.length === 0) return run
      const messages = run.messages + (await deleteLockedChats(tx, locked, deps.now()))
      const next = { ...run, chats: run.chats + locked.length, messages }
      await writeRun(tx, next, deps.now())
      return next
    })
    await setImmediate()
  }
  if (run.chats > 0) await auditRun(deps)
}

/** Deletes chats past their retention period, channel by channel. First audits a run that was aborted earlier. */
export async function applyRetention(deps: Deps, signal: AbortSignal): Promise<void> {
  await auditRun(deps)
  const { retention } = await getConversationSettings(deps.db)
  for (let after = ''; ; ) {
    const page = await listRetentionChannels(deps.db, retention.days, after, channelsPerPage)
    for (const channel of page.channels) await applyToChannel(deps, channel, signal)
    if (page.last === null) return
    after = page.last
  }
}

async function countForPreview(
  deps: Deps,
  channelId: string | null,
  days: number | null,
): Promise<RetentionPreview> {
  if (days === null) return { chats: 0, isCut: false }
  const chats = await countOldChats(deps.db, channelId, deps.now() - days * day, previewMaximum + 1)
  return { chats: Math.min(chats, previewMaximum), isCut: chats > previewMaximum }
}

/** For all channels without their own retention period. */
export async function previewForAllChannels(deps: Deps, days: number | undefined): Promise<RetentionPreview> {
  return countForPreview(deps, null, days ?? (await getConversationSettings(deps.db)).retention.days)
}

export async function previewInChannel(
  deps: Deps,
  actor: Actor,
  channelId: string,
  days: number | undefined,
): Promise<RetentionPreview> {
  const { retention_days } = await requireVisibleChannel(deps.db, actor, channelId)
  const currentDays = getRetentionDays(retention_days, await getConversationSettings(deps.db))
  return countForPreview(deps, channelId, days ?? currentDays)
}
