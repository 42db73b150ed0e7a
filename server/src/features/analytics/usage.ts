import { dayOf } from '@lyceum/contract/analytics'
import type { QuotaUse } from '@lyceum/contract/quotas'
import type { Executor } from '#db/client.ts'
import { usageOfChannel, usageOfUser } from './usage-store.ts'

function firstDayOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`
}

/** A user's messages today and tokens this month, in all channels. */
export function usedByUser(db: Executor, userId: string, now: number): Promise<QuotaUse> {
  const today = dayOf(now)
  return usageOfUser(db, userId, { from: firstDayOfMonth(today), today })
}

/** The usage of all members of a channel together. */
export function usedInChannel(db: Executor, channelId: string, now: number): Promise<QuotaUse> {
  const today = dayOf(now)
  return usageOfChannel(db, channelId, { from: firstDayOfMonth(today), today })
}
