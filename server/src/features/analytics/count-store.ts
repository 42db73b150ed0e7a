import { randomInt } from 'node:crypto'
import type { UnansweredReason } from '@lyceum/contract/analytics'
import { type RawBuilder, sql } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { UsageCounts } from '#db/schema/usage.ts'

/** Stored in place of a channel id for the totals of all channels. */
export const allChannels = ''

/** Stored in place of a visitor's id for all visitors of a channel. */
export const allVisitors = ''

/** The counts of a busy row are divided into this many rows. */
const slotCount = 16
/** A row is busy from this count on: too many transactions wait for each other to commit. */
const busyFrom = 1000

type CountRow = Record<string, string | number>

/** The sums of the rows with the same key, in the order of the keys so that concurrent transactions cannot deadlock. */
function sumByKey<R extends object>(rows: readonly R[], keys: readonly (keyof R)[]): R[] {
  const sums = new Map<string, R>()
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name]))
    const sum: CountRow = { ...sums.get(key) }
    for (const [name, value] of Object.entries(row))
      sum[name] = typeof value === 'number' ? value + Number(sum[name] ?? 0) : value
    sums.set(key, sum as R)
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

/** The slot 0, or a random one if the given condition finds a busy row. */
function pickSlot(busyRow: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((select cast(${randomInt(slotCount)} as integer) from ${busyRow}), 0)`
}

interface UserUsage {
  channel_id: string
  user_id: string
  day: string
  asked: number
  tokens: number
}

/** Adds to users' counts for a day and returns the new request counts. */
export function addUserUsage(
  tx: Executor,
  rows: readonly UserUsage[],
): Promise<{ channel_id: string; asked: number }[]> {
  return tx
    .insertInto('usage_people')
    .values(sumByKey(rows, ['channel_id', 'user_id', 'day']))
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'user_id', 'day']).doUpdateSet((eb) => ({
        asked: eb('usage_people.asked', '+', eb.ref('excluded.asked')),
        tokens: eb('usage_people.tokens', '+', eb.ref('excluded.tokens')),
      })),
    )
    .returning(['channel_id', 'asked'])
    .execute()
}

interface VisitorUsage {
  channel_id: string
  /** '' for all visitors of the channel. */
  visitor_id: string
  day: string
  arrived: number
  asked: number
}

/** Adds to visitors' counts for a day and returns the new ones. */
export function addVisitorUsage(tx: Executor, rows: readonly VisitorUsage[]): Promise<VisitorUsage[]> {
  return tx
    .insertInto('visitor_days')
    .values(sumByKey(rows, ['channel_id', 'visitor_id', 'day']))
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'visitor_id', 'day']).doUpdateSet((eb) => ({
        arrived: eb('visitor_days.arrived', '+', eb.ref('excluded.arrived')),
        asked: eb('visitor_days.asked', '+', eb.ref('excluded.asked')),
      })),
    )
    .returningAll()
    .execute()
}

export async function deleteVisitorUsage(db: Executor, beforeDay: string): Promise<void> {
  await db.deleteFrom('visitor_days').where('day', '<', beforeDay).execute()
}

/** Those of these users who are visitors. */
export async function findVisitors(db: Executor, userIds: ReadonlySet<string>): Promise<Set<string>> {
  if (userIds.size === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...userIds])
    .where('visitor_channel_id', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export interface DayCounts extends Partial<UsageCounts> {
  channel_id: string
  day: string
  model: string
}

/**
 * Adds to several rows in one statement. A channel that had many requests on the day is counted in one of several slots,
 * unless it is `undividedChannel`: requests in this channel wait for each other.
 */
export async function addDailyUsage(
  tx: Executor,
  rows: readonly DayCounts[],
  undividedChannel?: string,
): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (column): column is keyof UsageCounts => !['channel_id', 'day', 'model'].includes(column),
  )
  const completeRows = sumByKey(rows, ['channel_id', 'day', 'model']).map((row) => ({
    channel_id: row.channel_id,
    day: row.day,
    model: row.model,
    slot:
      row.channel_id === undividedChannel
        ? 0
        : pickSlot(sql`usage_days where channel_id = ${row.channel_id} and day = ${row.day} and model = ''
            and slot = 0 and asked >= ${busyFrom}`),
    ...Object.fromEntries(columns.map((column) => [column, row[column] ?? 0])),
  }))
  await tx
    .insertInto('usage_days')
    .values(completeRows)
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'day', 'model', 'slot'])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            columns.map((column) => [column, eb(`usage_days.${column}`, '+', eb.ref(`excluded.${column}`))]),
          ),
        ),
    )
    .execute()
}

interface CitationCounts {
  channel_id: string
  document_id: string
  day: string
  citations: number
}

/** Citations of a document that was cited often on the day are counted in one of several slots. */
export async function addCitations(tx: Executor, rows: readonly CitationCounts[]): Promise<void> {
  await tx
    .insertInto('citation_days')
    .values(
      sumByKey(rows, ['channel_id', 'document_id', 'day']).map((row) => ({
        ...row,
        slot: pickSlot(sql`citation_days where channel_id = ${row.channel_id}
          and document_id = ${row.document_id} and day = ${row.day} and slot = 0 and citations >= ${busyFrom}`),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'document_id', 'day', 'slot']).doUpdateSet((eb) => ({
        citations: eb('citation_days.citations', '+', eb.ref('excluded.citations')),
      })),
    )
    .execute()
}

/** Adds a question to the unanswered list. A resolved question that fails again is reopened. */
export async function insertUnanswered(
  tx: Executor,
  question: { id: string; channelId: string; askedAt: number; reason: UnansweredReason },
): Promise<void> {
  await tx
    .insertInto('unanswered_questions')
    .values({
      message_id: question.id,
      channel_id: question.channelId,
      asked_at: question.askedAt,
      reason: question.reason,
      resolved_at: null,
      resolved_by: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('message_id')
        .doUpdateSet({ reason: question.reason, resolved_at: null, resolved_by: null }),
    )
    .execute()
}

export async function deleteUnanswered(tx: Executor, messageId: string): Promise<void> {
  await tx.deleteFrom('unanswered_questions').where('message_id', '=', messageId).execute()
}
