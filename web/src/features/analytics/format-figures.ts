import { startOfDay } from '@lyceum/contract/analytics'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** Abbreviates numbers of 10,000 and more. */
export function formatNumber(value: number): string {
  return Math.abs(value) < 10_000 ? value.toLocaleString() : compact.format(value)
}

export function formatDuration(ms: number | null): string {
  if (ms === null) return '–'
  const seconds = ms / 1000
  return `${seconds.toLocaleString(undefined, { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`
}

export function formatPercentage(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100).toLocaleString()}%`
}

/** Formats a UTC day. */
export function formatDayLabel(day: string, withYear = false): string {
  return new Date(startOfDay(day)).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(withYear ? { year: 'numeric' } : {}),
  })
}

export interface Change {
  /** Signed, such as '+12%'. */
  text: string
  /** For screen readers. */
  description: string
  /** Positive for more than before. */
  direction: -1 | 0 | 1
}

/** The change from the previous period; null if the previous value was 0. */
export function describeChange(now: number, before: number): Change | null {
  if (before === 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  if (percent === 0) return { text: '±0%', description: 'same as the previous period', direction: 0 }
  const amount = Math.abs(percent).toLocaleString()
  return percent > 0
    ? { text: `+${amount}%`, description: `${amount}% more than in the previous period`, direction: 1 }
    : { text: `−${amount}%`, description: `${amount}% less than in the previous period`, direction: -1 }
}
