import { dayOf } from '@lyceum/contract/analytics'
import type { QuotaUse } from '@lyceum/contract/quotas'
import type { Executor } from '#db/client.ts'
import { useOfChannel, useOfPerson } from './use-store.ts'

const firstDayOfMonth = (day: string): string => `${day.slice(0, 8)}01`

/** What a person has used today and this month, in all channels. */
export const usedByPerson = (db: Executor, userId: string, now: number): Promise<QuotaUse> => {
  const today = dayOf(now)
  return useOfPerson(db, userId, { from: firstDayOfMonth(today), today })
}

/** What all members of a channel have used together. */
export const usedInChannel = (db: Executor, channelId: string, now: number): Promise<QuotaUse> => {
  const today = dayOf(now)
  return useOfChannel(db, channelId, { from: firstDayOfMonth(today), today })
}
