import { addDays, formatDay } from '@lyceum/contract/analytics'
import type { CheckUsage } from '@lyceum/contract/channels'
import type { QuotaUse } from '@lyceum/contract/quotas'
import type { Executor } from '#db/client.ts'
import { readChannelUsage, readCheckUsage, readUserUsage } from './usage-store.ts'

function firstDayOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`
}

/** A user's messages today and tokens this month, in all channels. */
export function getUserUsage(db: Executor, userId: string, now: number): Promise<QuotaUse> {
  const today = formatDay(now)
  return readUserUsage(db, userId, { from: firstDayOfMonth(today), today })
}

/** The usage of all members of a channel together. */
export function getChannelUsage(db: Executor, channelId: string, now: number): Promise<QuotaUse> {
  const today = formatDay(now)
  return readChannelUsage(db, channelId, { from: firstDayOfMonth(today), today })
}

const checkUsageDays = 30

/** What checking the citations of a channel took in the last days, including today. */
export async function getCheckUsage(db: Executor, channelId: string, now: number): Promise<CheckUsage> {
  const today = formatDay(now)
  const from = addDays(today, 1 - checkUsageDays)
  return { days: checkUsageDays, ...(await readCheckUsage(db, channelId, { from, to: today })) }
}
