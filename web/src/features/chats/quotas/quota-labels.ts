import type { Quota, QuotaEntries, QuotaLeft, QuotaUse } from '@lyceum/contract/quotas'

function entryOf(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

export function entriesOf({ messagesPerDay, tokensPerMonth }: Quota): QuotaEntries {
  return {
    messagesPerDay: entryOf(messagesPerDay),
    tokensPerMonth: entryOf(tokensPerMonth),
  }
}

function limitWords(limit: number | null, what: string): string {
  return limit === null ? `no limit of ${what}` : `${limit.toLocaleString()} ${what}`
}

export function quotaWords({ messagesPerDay, tokensPerMonth }: Quota): string {
  return `${limitWords(messagesPerDay, 'messages a day')}, ${limitWords(tokensPerMonth, 'tokens a month')}`
}

/** How far somebody is, such as '12 of 50 today'. */
export function spentWords(quota: Quota, { messagesToday, tokensThisMonth }: QuotaUse) {
  function of(limit: number | null): string {
    return limit === null ? '' : ` of ${limit.toLocaleString()}`
  }
  return {
    messagesPerDay: `${messagesToday.toLocaleString()}${of(quota.messagesPerDay)} today`,
    tokensPerMonth: `${tokensThisMonth.toLocaleString()}${of(quota.tokensPerMonth)} this month`,
  }
}

function when(instant: string): string {
  return new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** What its person reads under the field. */
export function leftWords({ kind, whose, left, limit, resetsAt }: QuotaLeft): string {
  const where = whose === 'own' ? '' : ' in this channel'
  if (limit === 0) return `No messages can be sent${where} at present.`
  const time = kind === 'messages' ? 'for today' : 'for this month'
  const amount = left === 0 ? `No ${kind}` : `${left.toLocaleString()} of ${limit.toLocaleString()} ${kind}`
  return `${amount} left${where} ${time}. New ones from ${when(resetsAt)}.`
}
