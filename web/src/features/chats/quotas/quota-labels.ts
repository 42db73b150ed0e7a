import type { Quota, QuotaEntries, QuotaLeft, QuotaUse } from '@lyceum/contract/quotas'

function toEntry(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

export function toQuotaEntries({ messagesPerDay, tokensPerMonth }: Quota): QuotaEntries {
  return {
    messagesPerDay: toEntry(messagesPerDay),
    tokensPerMonth: toEntry(tokensPerMonth),
  }
}

export function quotaLabel({ messagesPerDay, tokensPerMonth }: Quota): string {
  const messages =
    messagesPerDay === null ? 'Unlimited messages' : `${messagesPerDay.toLocaleString()} messages a day`
  const tokens =
    tokensPerMonth === null ? 'unlimited tokens' : `${tokensPerMonth.toLocaleString()} tokens a month`
  return `${messages}, ${tokens}`
}

/** The usage, for example '12 of 50 today'. */
export function usageLabels(quota: Quota, { messagesToday, tokensThisMonth }: QuotaUse) {
  function formatLimit(limit: number | null): string {
    return limit === null ? '' : ` of ${limit.toLocaleString()}`
  }
  return {
    messagesPerDay: `${messagesToday.toLocaleString()}${formatLimit(quota.messagesPerDay)} today`,
    tokensPerMonth: `${tokensThisMonth.toLocaleString()}${formatLimit(quota.tokensPerMonth)} this month`,
  }
}

/** The time that a limit is for. 'for now' if it is reset later on the user's own day, which begins at another time. */
function formatPeriod({ kind, left, resetsAt }: QuotaLeft): string {
  if (kind === 'tokens') return 'this month'
  return left === 0 && startOfDay(new Date(resetsAt)) === startOfDay(new Date()) ? 'for now' : 'today'
}

function startOfDay(time: Date, daysLater = 0): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + daysLater).getTime()
}

/** For example 'tomorrow at 2:00 AM', in the user's time zone. No line breaks inside the time of day. */
function formatReset(timestamp: string, now: Date): string {
  const time = new Date(timestamp)
  const breakableClock = time.toLocaleTimeString(undefined, { timeStyle: 'short' })
  const clock = breakableClock.replaceAll(' ', '\u00a0')
  if (startOfDay(time) === startOfDay(now)) return `today at ${clock}`
  if (startOfDay(time) === startOfDay(now, 1)) return `tomorrow at ${clock}`
  const dateAndTime = time.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return `on ${dateAndTime.replace(breakableClock, clock)}`
}

/** What happened when nothing is left, and what to do. */
export function exhaustedLabels(quota: QuotaLeft): {
  title: string
  hint: string
} {
  const { kind, whose, limit, resetsAt } = quota
  const where = whose === 'own' ? '' : ' in this channel'
  if (limit === 0) return { title: `No ${kind} are allowed${where}`, hint: 'Contact an administrator.' }
  const reset = formatReset(resetsAt, new Date())
  return {
    title:
      whose === 'own' ? `You have used all your ${kind}` : `No ${kind} left${where} ${formatPeriod(quota)}`,
    hint: `You can continue ${reset}.`,
  }
}

/** The remaining quota, shown below the message field. */
export function remainingLabel(quota: QuotaLeft): string {
  const { kind, whose, left, limit, resetsAt } = quota
  const where = whose === 'own' ? '' : ' in this channel'
  const unit = limit === 1 ? kind.slice(0, -1) : kind
  const amount = `${left.toLocaleString()} of ${limit.toLocaleString()} ${unit}`
  return `${amount} left${where} ${formatPeriod(quota)}. Your limit resets ${formatReset(resetsAt, new Date())}.`
}
