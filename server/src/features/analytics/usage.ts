import { formatDay } from '@lyceum/contract/analytics'
import type { QuotaUse } from '@lyceum/contract/quotas'
import type { Executor } from '#db/client.ts'
import { readChannelUsage, readUserUsage } from './usage-store.ts'

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
