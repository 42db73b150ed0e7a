import { sql } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockRows } from '#db/lock-row.ts'
import { deleteSetting, readSetting, writeSetting } from '#db/settings.ts'

export interface RetentionChannel {
  id: string
  name: string
  days: number
}

/** One page of the channels with a retention period, ordered by id. `last` is null on the last page. */
export async function listRetentionChannels(
  db: Executor,
  generalDays: number | null,
  after: string,
  limit: number,
): Promise<{ channels: RetentionChannel[]; last: string | null }> {
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'name', 'retention_days'])
    .where('id', '>', after)
    .$if(generalDays === null, (query) => query.where('retention_days', 'is not', null))
    .orderBy('id')
    .limit(limit)
    .execute()
  const channels = rows.flatMap(({ id, name, retention_days }) => {
    const days = retention_days ?? generalDays
    return days === null ? [] : [{ id, name, days }]
  })
  return { channels, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
}

/** The channel's own retention period, null if it has none; undefined if the channel was deleted. */
export async function findOwnDays(db: Executor, channelId: string): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('channels')
    .select('retention_days')
    .where('id', '=', channelId)
    .executeTakeFirst()
  return row?.retention_days
}

export interface OldChat {
  id: string
  messageCount: number
}

/** Chats of a channel without activity since `before` and without a running reply, oldest first. */
export async function listOldChats(
  db: Executor,
  channelId: string,
  before: number,
  limit: number,
): Promise<OldChat[]> {
  const rows = await db
    .selectFrom('chats')
    .select(['id', 'message_count'])
    .where('channel_id', '=', channelId)
    .where('updated_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.chat_id', '=', 'chats.id')
            // Uses the small index of running replies.
            .where('messages.lease_until', 'is not', null)
            .where('messages.state', '=', 'streaming'),
        ),
      ),
    )
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, message_count }) => ({ id, messageCount: message_count }))
}

/**
 * Locks the chats and returns those still without activity since `before`. A message sent a moment ago keeps its chat;
 * one sent from now on waits for the lock and then finds the chat deleted.
 */
export async function lockOldChats(tx: Tx, ids: readonly string[], before: number): Promise<string[]> {
  const chats = await lockRows(tx, 'chats', ids)
  return chats.filter(({ updated_at }) => updated_at < before).map(({ id }) => id)
}

/** Counts chats without activity since `before`, in one channel or in all channels without their own period. */
export async function countOldChats(
  db: Executor,
  channelId: string | null,
  before: number,
  atMost: number,
): Promise<number> {
  const old = db
    .selectFrom('channels')
    .innerJoin('chats', 'chats.channel_id', 'channels.id')
    .select(sql<number>`1`.as('one'))
    .where('chats.updated_at', '<', before)
    .$if(channelId !== null, (query) => query.where('channels.id', '=', channelId))
    .$if(channelId === null, (query) => query.where('channels.retention_days', 'is', null))
    .limit(atMost)
  const { chats } = await db
    .selectFrom(old.as('old'))
    .select((eb) => eb.fn.countAll<number>().as('chats'))
    .executeTakeFirstOrThrow()
  return chats
}

export interface RetentionRun {
  channelId: string
  name: string
  days: number
  chats: number
  messages: number
}

const runSettingKey = 'retentionRun'

/** What a run has deleted in a channel and not yet recorded in the audit log. */
export async function readRun(db: Executor): Promise<RetentionRun | null> {
  return ((await readSetting(db, runSettingKey)) as RetentionRun | undefined) ?? null
}

export function writeRun(tx: Tx, run: RetentionRun, now: number): Promise<void> {
  return writeSetting(tx, runSettingKey, run, now)
}

/** Returns false if the run was already recorded. */
export function deleteRun(tx: Tx): Promise<boolean> {
  return deleteSetting(tx, runSettingKey)
}
