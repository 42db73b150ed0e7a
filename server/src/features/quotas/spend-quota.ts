import { addDays, formatDay, startOfDay } from '@lyceum/contract/analytics'
import type { ErrorCode } from '@lyceum/contract/errors'
import { lowQuotaShare, type Quota, type QuotaLeft, type QuotaUse } from '@lyceum/contract/quotas'
import type { Executor, Tx } from '#db/client.ts'
import { AppError } from '../../errors.ts'
import { countRequest, countVisitorRequest } from '../analytics/count-usage.ts'
import { countVisitorMessages, getChannelUsage, getUserUsage, getVisitorUsage } from '../analytics/usage.ts'
import { findVisitorLimits, recordVisitorMessage } from '../embedding/visitors.ts'
import { readQuotas } from './store.ts'

export const unlimited: Quota = { messagesPerDay: null, tokensPerMonth: null }

/**
 * A user's own limits replace the general ones entirely. Visitors have limits of their own, which apply to each of them and
 * to all of them. The channel's limits apply in addition. `visitors` is null unless the user is one.
 */
async function findQuotas(db: Executor, userId: string, channelId: string) {
  const limits = await findVisitorLimits(db, userId)
  const [general, user, channel] = await readQuotas(db, ['everybody', { userId }, { channelId }])
  return {
    own: limits ? { ...unlimited, messagesPerDay: limits.messagesPerDay } : (user ?? general ?? unlimited),
    visitors: limits ? { ...unlimited, messagesPerDay: limits.channelMessagesPerDay } : null,
    channel: channel ?? unlimited,
  }
}

function isLimited({ messagesPerDay, tokensPerMonth }: Quota): boolean {
  return messagesPerDay !== null || tokensPerMonth !== null
}

const minute = 60_000

function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minute))
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

function startOfNextDay(now: number): number {
  return startOfDay(addDays(formatDay(now), 1))
}
function startOfNextMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

type QuotaScope = 'own' | 'visitors' | 'channel'

function throwQuotaError(code: ErrorCode, message: string, resetsAt: number | null, now: number): never {
  const retryAfter = resetsAt === null ? undefined : Math.ceil((resetsAt - now) / 1000)
  throw new AppError(code, { message, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

const texts = {
  own: { noneAllowed: 'You cannot send messages right now.', subject: 'You have', limit: 'Your limit' },
  visitors: {
    noneAllowed: 'You cannot send messages right now.',
    subject: 'The visitors of this chat have',
    limit: 'The limit',
  },
  channel: {
    noneAllowed: 'You cannot send messages in this channel right now.',
    subject: 'The members of this channel have',
    limit: 'The limit',
  },
} as const

function throwMessageLimitError(scope: QuotaScope, quota: number, now: number): never {
  const code = scope === 'own' ? 'quota.messages' : 'quota.channel_messages'
  const { noneAllowed, subject, limit } = texts[scope]
  if (quota === 0) return throwQuotaError(code, noneAllowed, null, now)
  const resetsAt = startOfNextDay(now)
  const count = quota === 1 ? 'the one message allowed' : `all ${quota.toLocaleString('en')} messages`
  const reset = `${limit} resets in ${formatDuration(resetsAt - now)} (midnight UTC).`
  return throwQuotaError(code, `${subject} used ${count} for today. ${reset}`, resetsAt, now)
}

function throwTokenLimitError(scope: QuotaScope, quota: number, now: number): never {
  const code = scope === 'own' ? 'quota.tokens' : 'quota.channel_tokens'
  const { noneAllowed, subject, limit } = texts[scope]
  if (quota === 0) return throwQuotaError(code, noneAllowed, null, now)
  const resetsAt = startOfNextMonth(now)
  const reset = `${limit} resets in ${formatDuration(resetsAt - now)} (end of the month, UTC).`
  return throwQuotaError(
    code,
    `${subject} used all ${quota.toLocaleString('en')} tokens for this month. ${reset}`,
    resetsAt,
    now,
  )
}

/** `messagesToday` includes the message that is being sent. */
function requireMessagesLeft(
  scope: QuotaScope,
  { messagesPerDay }: Quota,
  messagesToday: number,
  now: number,
): void {
  if (messagesPerDay !== null && messagesToday > messagesPerDay)
    throwMessageLimitError(scope, messagesPerDay, now)
}

/** Tokens are counted when a reply ends, so the reply that exceeds the limit is completed and the next is refused. */
function requireTokensLeft(scope: QuotaScope, { tokensPerMonth }: Quota, used: QuotaUse, now: number): void {
  if (tokensPerMonth !== null && used.tokensThisMonth >= tokensPerMonth)
    throwTokenLimitError(scope, tokensPerMonth, now)
}

interface QuotaRequest {
  userId: string
  channelId: string
  isNewMessage: boolean
  now: number
}

/** Also puts off the deletion of the visitor. */
async function spendVisitorQuota(
  tx: Tx,
  request: Parameters<typeof countVisitorRequest>[1],
  { own, visitors }: { own: Quota; visitors: Quota },
): Promise<void> {
  const { userId, now } = request
  await recordVisitorMessage(tx, userId, now)
  const { byVisitor, byAllVisitors } = await countVisitorRequest(tx, request)
  requireMessagesLeft('own', own, byVisitor, now)
  requireMessagesLeft('visitors', visitors, byAllVisitors, now)
}

/**
 * Counts the request, then throws if it exceeds a limit, which also rolls the count back. Counting first locks the
 * counters, so that two concurrent requests cannot both use the last message of a quota.
 */
export async function spendQuota(tx: Tx, request: QuotaRequest): Promise<void> {
  const { userId, channelId, now } = request
  const { own, visitors, channel } = await findQuotas(tx, userId, channelId)
  const counted = { ...request, isChannelLimited: channel.messagesPerDay !== null }
  if (visitors) await spendVisitorQuota(tx, counted, { own, visitors })
  else requireMessagesLeft('own', own, await countRequest(tx, counted), now)
  const inChannel = isLimited(channel) ? await getChannelUsage(tx, channelId, now) : null
  if (inChannel) requireMessagesLeft('channel', channel, inChannel.messagesToday, now)
  if (own.tokensPerMonth !== null) requireTokensLeft('own', own, await getUserUsage(tx, userId, now), now)
  if (inChannel) requireTokensLeft('channel', channel, inChannel, now)
}

function listQuotaLeft(scope: QuotaScope, quota: Quota, used: QuotaUse, now: number): QuotaLeft[] {
  const limits = [
    ['messages', quota.messagesPerDay, used.messagesToday, startOfNextDay(now)],
    ['tokens', quota.tokensPerMonth, used.tokensThisMonth, startOfNextMonth(now)],
  ] as const
  return limits.flatMap(([kind, limit, spent, resetsAt]) =>
    limit === null
      ? []
      : [
          {
            kind,
            whose: scope === 'own' ? scope : ('channel' as const),
            limit,
            left: Math.max(0, limit - spent),
            resetsAt: new Date(resetsAt).toISOString(),
          },
        ],
  )
}

async function listVisitorQuotasLeft(
  db: Executor,
  { userId, channelId, now }: { userId: string; channelId: string; now: number },
  { own, visitors }: { own: Quota; visitors: Quota },
): Promise<QuotaLeft[]> {
  const { byVisitor, byAllVisitors } = await getVisitorUsage(db, { channelId, userId }, now)
  return [
    ...listQuotaLeft('own', own, { messagesToday: byVisitor, tokensThisMonth: 0 }, now),
    ...listQuotaLeft('visitors', visitors, { messagesToday: byAllVisitors, tokensThisMonth: 0 }, now),
  ]
}

/** The limit with the smallest share left, if that is `lowQuotaShare` or less or one message; otherwise null. */
export async function findLowestQuotaLeft(
  db: Executor,
  userId: string,
  channelId: string,
  now: number,
): Promise<QuotaLeft | null> {
  const { own, visitors, channel } = await findQuotas(db, userId, channelId)
  const all = [
    ...(visitors
      ? await listVisitorQuotasLeft(db, { userId, channelId, now }, { own, visitors })
      : isLimited(own)
        ? listQuotaLeft('own', own, await getUserUsage(db, userId, now), now)
        : []),
    ...(isLimited(channel)
      ? listQuotaLeft('channel', channel, await getChannelUsage(db, channelId, now), now)
      : []),
  ]
  function computeShare({ left, limit }: QuotaLeft): number {
    return limit === 0 ? 0 : left / limit
  }
  const lowQuotas = all.filter((quotaLeft) => computeShare(quotaLeft) <= lowQuotaShare || quotaLeft.left <= 1)
  return lowQuotas.toSorted((a, b) => computeShare(a) - computeShare(b))[0] ?? null
}

/**
 * The used-up limit that keeps new visitors of a channel from asking: the one that all visitors share, or one of the channel.
 * Of several, a limit of 0, which never resets, or the one that resets last. Null while they can ask.
 */
export async function findUsedUpVisitorQuota(
  db: Executor,
  channelId: string,
  messagesPerDay: number,
  now: number,
): Promise<QuotaLeft | null> {
  const [channel] = await readQuotas(db, [{ channelId }])
  const messagesToday = await countVisitorMessages(db, channelId, formatDay(now))
  const used = [
    ...listQuotaLeft(
      'visitors',
      { ...unlimited, messagesPerDay },
      { messagesToday, tokensThisMonth: 0 },
      now,
    ),
    ...(channel && isLimited(channel)
      ? listQuotaLeft('channel', channel, await getChannelUsage(db, channelId, now), now)
      : []),
  ].filter(({ left }) => left === 0)
  const blocking = used.find(({ limit }) => limit === 0)
  return blocking ?? used.toSorted((a, b) => b.resetsAt.localeCompare(a.resetsAt))[0] ?? null
}
