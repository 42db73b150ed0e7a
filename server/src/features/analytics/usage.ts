import { addDays, type CheckUsage, formatDay } from '@lyceum/contract/analytics'
import type { QuotaUse } from '@lyceum/contract/quotas'
import type { Executor } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { requireVisibleChannel } from '../channels/access.ts'
import { allVisitors } from './count-store.ts'
import { readChannelUsage, readCheckUsage, readUserUsage, readVisitorRequests } from './usage-store.ts'

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

/** The requests of today: of all visitors of the channel, and of one of them. */
export async function getVisitorUsage(
  db: Executor,
  { channelId, userId }: { channelId: string; userId: string },
  now: number,
): Promise<{ byVisitor: number; byAllVisitors: number }> {
  const asked = await readVisitorRequests(db, channelId, [allVisitors, userId], formatDay(now))
  return { byVisitor: asked.get(userId) ?? 0, byAllVisitors: asked.get(allVisitors) ?? 0 }
}

/** The messages of all visitors of the channel on a day (UTC), such as `2026-11-21`. */
export async function countVisitorMessages(db: Executor, channelId: string, day: string): Promise<number> {
  return (await readVisitorRequests(db, channelId, [allVisitors], day)).get(allVisitors) ?? 0
}

const checkUsageDays = 30

/** What checking the citations of a channel took in the last days, including today. */
export async function getCheckUsage(deps: Deps, actor: Actor, channelId: string): Promise<CheckUsage> {
  await requireVisibleChannel(deps.db, actor, channelId)
  const today = formatDay(deps.now())
  const from = addDays(today, 1 - checkUsageDays)
  return { days: checkUsageDays, ...(await readCheckUsage(deps.db, channelId, { from, to: today })) }
}
