import type { DayRange } from '@lyceum/contract/analytics'
import { sql } from 'kysely'
import type { Executor } from '#db/client.ts'
import { allChannels } from './count-store.ts'
import { waitColumns } from './waits.ts'

/** All but the people, who are counted once even if they wrote on several days. */
export const countColumns = [
  'messages',
  'replies',
  'refusals',
  'failures',
  'quoted',
  'good',
  'bad',
  'input_tokens',
  'output_tokens',
  ...waitColumns,
] as const

const summedColumns = ['people', ...countColumns] as const

export type UsageSums = Record<(typeof summedColumns)[number], number>

/** Adds up the slots of a day, and whatever else the query does not group by. */
function selectSums(db: Executor, { from, to }: DayRange) {
  return db
    .selectFrom('usage_days')
    .select((eb) => summedColumns.map((column) => eb.fn.sum<number | string>(column).as(column)))
    .where('day', '>=', from)
    .where('day', '<=', to)
}

function toSums(row: Record<keyof UsageSums, number | string>): UsageSums {
  return Object.fromEntries(summedColumns.map((column) => [column, Number(row[column])])) as UsageSums
}

export interface DailyUsage extends UsageSums {
  day: string
  model: string
}

/** Usage per day and model of a channel, or of all channels when no channel is given. */
export async function listUsage(
  db: Executor,
  channelId: string | undefined,
  range: DayRange,
): Promise<DailyUsage[]> {
  const rows = await selectSums(db, range)
    .select(['day', 'model'])
    .where('channel_id', '=', channelId ?? allChannels)
    .groupBy(['day', 'model'])
    .orderBy('day')
    .orderBy('model')
    .execute()
  return rows.map((row) => ({ day: row.day, model: row.model, ...toSums(row) }))
}

/** Counts distinct active users with a loose index scan: it jumps from user to user instead of reading every day. */
export async function countActiveUsers(
  db: Executor,
  channelId: string | undefined,
  { from, to }: DayRange,
): Promise<number> {
  const channel = channelId ?? allChannels
  const { rows } = await sql<{ people: number }>`
    with recursive active_user(id) as (
      select min(user_id) from usage_people where channel_id = ${channel}
      union all
      select (select min(user_id) from usage_people where channel_id = ${channel} and user_id > active_user.id)
      from active_user where active_user.id is not null
    )
    select count(*) as people from active_user where exists (
      select 1 from usage_people as days
      where days.channel_id = ${channel} and days.user_id = active_user.id and days.day between ${from} and ${to}
    )`.execute(db)
  return rows[0]?.people ?? 0
}

/** All channels with recorded usage, including deleted ones. A loose index scan jumps from channel to channel. */
export async function listCountedChannelIds(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ id: string | null }>`
    with recursive channel(id) as (
      select min(channel_id) from usage_days where channel_id > ${allChannels}
      union all
      select (select min(channel_id) from usage_days where channel_id > channel.id)
      from channel where channel.id is not null
    )
    select id from channel where id is not null`.execute(db)
  return rows.flatMap(({ id }) => id ?? [])
}

export interface ChannelSums extends UsageSums {
  channel_id: string
}

export async function sumUsage(
  db: Executor,
  channelIds: readonly string[],
  range: DayRange,
): Promise<ChannelSums[]> {
  const rows = await selectSums(db, range)
    .select('channel_id')
    .where('channel_id', 'in', channelIds)
    .groupBy('channel_id')
    .execute()
  return rows.map((row) => ({ channel_id: row.channel_id, ...toSums(row) }))
}

interface CitedRow {
  channel_id: string
  document_id: string
  citations: number
}

/** The most cited documents of the channels, and the total number of cited documents. */
export async function listCitedDocuments(
  db: Executor,
  channelIds: readonly string[],
  { from, to }: DayRange,
  limit: number | null,
): Promise<{ rows: CitedRow[]; total: number }> {
  const cited = db
    .selectFrom('citation_days')
    .select((eb) => [
      'channel_id',
      'document_id',
      eb.fn.sum<number | string>('citations').as('citations'),
      sql<number | string>`count(*) over ()`.as('total'),
    ])
    .where('channel_id', 'in', channelIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['channel_id', 'document_id'])
    .orderBy('citations', 'desc')
    .orderBy('document_id')
  const rows = await (limit === null ? cited : cited.limit(limit)).execute()
  return {
    rows: rows.map(({ total: _, citations, ...row }) => ({ ...row, citations: Number(citations) })),
    total: Number(rows[0]?.total ?? 0),
  }
}

export async function findDocumentTitles(db: Executor, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('documents').select(['id', 'title']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}
