import { timeOfDay } from '@lyceum/contract/analytics'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** Short where there is little room; below ten thousand every digit is said. */
export function shortNumber(value: number): string {
  return Math.abs(value) < 10_000 ? value.toLocaleString() : compact.format(value)
}

/** A wait as people say it. */
export function wait(ms: number | null): string {
  if (ms === null) return '–'
  const seconds = ms / 1000
  return `${seconds.toLocaleString(undefined, { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100).toLocaleString()} %`
}

/** Days are UTC days and are shown as such. */
export function dayName(day: string, withYear = false): string {
  return new Date(timeOfDay(day)).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(withYear ? { year: 'numeric' } : {}),
  })
}

export interface Change {
  /** Signed, such as '+12 %'. */
  text: string
  /** For who does not see where it stands. */
  words: string
}

/** How a figure moved against the range before; null where there is nothing to compare with. */
export function changeOf(now: number, before: number): Change | null {
  if (before === 0) return null
  const share = Math.round(((now - before) / before) * 100)
  if (share === 0) return { text: '±0 %', words: 'as in the time before' }
  const amount = Math.abs(share).toLocaleString()
  return share > 0
    ? { text: `+${amount} %`, words: `${amount} % more than in the time before` }
    : { text: `−${amount} %`, words: `${amount} % less than in the time before` }
}
