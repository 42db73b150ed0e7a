import type { CheckUsage, DayRange } from '@lyceum/contract/analytics'
import type { QuotaUse } from '@lyceum/contract/quotas'
import type { Executor } from '#db/client.ts'
import { allChannels } from './count-store.ts'

interface MonthToDate {
  /** First day of the month. */
  from: string
  today: string
}

/** Reads at most 31 rows by primary key. */
export async function readUserUsage(
  db: Executor,
  userId: string,
  { from, today }: MonthToDate,
): Promise<QuotaUse> {
  const days = await db
    .selectFrom('usage_people')
    .select(['day', 'asked', 'tokens'])
    .where('channel_id', '=', allChannels)
    .where('user_id', '=', userId)
    .where('day', '>=', from)
    .where('day', '<=', today)
    .execute()
  return {
    messagesToday: days.find(({ day }) => day === today)?.asked ?? 0,
    tokensThisMonth: days.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

/** Reads at most 31 rows per model and slot. */
export async function readChannelUsage(
  db: Executor,
  channelId: string,
  { from, today }: MonthToDate,
): Promise<QuotaUse> {
  const days = await db
    .selectFrom('usage_days')
    .select((eb) => [
      'day',
      eb.fn.sum<number | string>('asked').as('asked'),
      eb.fn.sum<number | string>(eb('input_tokens', '+', eb.ref('output_tokens'))).as('tokens'),
    ])
    .where('channel_id', '=', channelId)
    .where('day', '>=', from)
    .where('day', '<=', today)
    .groupBy('day')
    .execute()
  return {
    messagesToday: Number(days.find(({ day }) => day === today)?.asked ?? 0),
    tokensThisMonth: days.reduce((sum, { tokens }) => sum + Number(tokens), 0),
  }
}

/** How often visitors of the channel have asked on the day. Reads rows by primary key. */
export async function readVisitorRequests(
  db: Executor,
  channelId: string,
  visitorIds: readonly string[],
  day: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('visitor_days')
    .select(['visitor_id', 'asked'])
    .where('channel_id', '=', channelId)
    .where('visitor_id', 'in', visitorIds)
    .where('day', '=', day)
    .execute()
  return new Map(rows.map(({ visitor_id, asked }) => [visitor_id, asked]))
}

const checkColumns = [
  'checks',
  'check_tokens',
  'checked_citations',
  'unconfirmed_citations',
  'unchecked_citations',
] as const

/** Reads the rows of a channel, one per day, model and slot. */
export async function readCheckUsage(
  db: Executor,
  channelId: string,
  { from, to }: DayRange,
): Promise<Omit<CheckUsage, 'days'>> {
  const sums = await db
    .selectFrom('usage_days')
    .select((eb) => checkColumns.map((column) => eb.fn.sum<number | string | null>(column).as(column)))
    .where('channel_id', '=', channelId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .executeTakeFirstOrThrow()
  return {
    checks: Number(sums.checks),
    tokens: Number(sums.check_tokens),
    checkedCitations: Number(sums.checked_citations),
    removedCitations: Number(sums.unconfirmed_citations),
    uncheckedCitations: Number(sums.unchecked_citations),
  }
}
