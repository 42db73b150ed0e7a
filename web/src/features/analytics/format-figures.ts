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

function toPercent({ part, whole }: Share): number {
  return Math.round((part / whole) * 100)
}

export function formatPercentage(part: number, whole: number): string {
  return whole === 0 ? '–' : `${toPercent({ part, whole }).toLocaleString()}%`
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
  /** Signed, such as '+12%' or '−2 pts'. */
  text: string
  /** For screen readers. */
  description: string
  /** Positive for more than before. */
  direction: -1 | 0 | 1
}

/** Describes a rounded difference from the previous period. */
function signDifference(difference: number, unit: string, spokenUnit: string): Change {
  if (difference === 0) return { text: `±0${unit}`, description: 'same as the previous period', direction: 0 }
  const amount = Math.abs(difference).toLocaleString()
  return difference > 0
    ? {
        text: `+${amount}${unit}`,
        description: `${amount}${spokenUnit} more than in the previous period`,
        direction: 1,
      }
    : {
        text: `−${amount}${unit}`,
        description: `${amount}${spokenUnit} less than in the previous period`,
        direction: -1,
      }
}

/** The change from the previous period in percent; null if the previous value was 0. */
export function describeChange(now: number, before: number): Change | null {
  if (before === 0) return null
  return signDifference(Math.round(((now - before) / before) * 100), '%', '%')
}

export interface Share {
  part: number
  whole: number
}

/** The change of a percentage in points, because a percentage of a percentage misleads; null without a whole. */
export function describeShareChange(now: Share, before: Share): Change | null {
  if (now.whole === 0 || before.whole === 0) return null
  const points = toPercent(now) - toPercent(before)
  return signDifference(
    points,
    Math.abs(points) === 1 ? ' pt' : ' pts',
    Math.abs(points) === 1 ? ' percentage point' : ' percentage points',
  )
}
