import { formatDay } from '@lyceum/contract/analytics'
import type { Embedding, EmbeddingInput } from '@lyceum/contract/embedding'
import type { Executor } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { countVisitorMessages } from '../analytics/usage.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { requireLockedChannel, requireNotArchived, requireVisibleChannel } from '../channels/access.ts'
import { normalizeSites } from './sites.ts'
import { deleteSignInsElsewhere, type EmbeddingRow, findEmbedding, upsertEmbedding } from './store.ts'
import { deleteVisitorSignIns } from './visitor-store.ts'

const defaults: EmbeddingInput = {
  sites: [],
  allowsVisitors: false,
  visitorMessagesPerDay: 20,
  channelVisitorMessagesPerDay: 1000,
}

export function parseSites({ sites }: Pick<EmbeddingRow, 'sites'>): string[] {
  return JSON.parse(sites) as string[]
}

async function readSettings(db: Executor, channelId: string): Promise<EmbeddingInput> {
  const row = await findEmbedding(db, channelId)
  if (!row) return defaults
  return {
    sites: parseSites(row),
    allowsVisitors: row.allows_visitors === 1,
    visitorMessagesPerDay: row.visitor_messages_per_day,
    channelVisitorMessagesPerDay: row.channel_visitor_messages_per_day,
  }
}

export async function getEmbedding({ db, now }: Deps, actor: Actor, channelId: string): Promise<Embedding> {
  await requireVisibleChannel(db, actor, channelId)
  const visitorMessagesToday = await countVisitorMessages(db, channelId, formatDay(now()))
  return { ...(await readSettings(db, channelId)), visitorMessagesToday }
}

/** Sign-ins on sites that were removed end with the same commit, and so do those of visitors who are no longer allowed. */
export async function setEmbedding(
  deps: Deps,
  actor: Actor,
  channelId: string,
  input: EmbeddingInput,
): Promise<Embedding> {
  const sites = normalizeSites(input.sites)
  await deps.db.transaction().execute(async (tx) => {
    await requireVisibleChannel(tx, actor, channelId)
    // Sign-ins lock the channel, too: they begin before a site is removed and end with it, or find it removed.
    const channel = await requireLockedChannel(tx, channelId)
    requireNotArchived(channel)
    const changes = findChanges({ ...(await readSettings(tx, channelId)) }, { ...input, sites })
    if (!changes) return
    await upsertEmbedding(tx, {
      channel_id: channelId,
      sites: JSON.stringify(sites),
      allows_visitors: input.allowsVisitors ? 1 : 0,
      visitor_messages_per_day: input.visitorMessagesPerDay,
      channel_visitor_messages_per_day: input.channelVisitorMessagesPerDay,
    })
    await deleteSignInsElsewhere(tx, channelId, sites)
    if (!input.allowsVisitors) await deleteVisitorSignIns(tx, channelId)
    await audit(deps, tx, {
      actor,
      action: 'channel.embedding-changed',
      object: { type: 'channel', id: channelId, name: channel.name },
      ...changes,
    })
  })
  return getEmbedding(deps, actor, channelId)
}
