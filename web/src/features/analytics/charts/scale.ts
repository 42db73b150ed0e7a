import { addDays, type UsageDay } from '@lyceum/contract/analytics'

/** Consecutive days that share one bar or point. */
export interface Span {
  from: string
  to: string
  days: readonly UsageDay[]
}

const maxDailyBars = 62
const week = 7

/** Returns single days while they fit, otherwise weeks. */
export function groupIntoSpans(days: readonly UsageDay[]): Span[] {
  const step = days.length <= maxDailyBars ? 1 : week
  return Array.from({ length: Math.ceil(days.length / step) }, (_, index) => {
    const spanDays = days.slice(index * step, (index + 1) * step)
    const from = spanDays[0]?.day ?? ''
    return { from, to: addDays(from, spanDays.length - 1), days: spanDays }
  })
}

/** Rounds up to an easy-to-read value. Half of it must be easy to read too: it labels the middle of the axis. */
export function computeAxisMaximum(highest: number, isInteger = true): number {
  if (highest <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [1, 2, 4, 6, 10].find((factor) => factor * power >= highest) ?? 10
  return isInteger ? Math.max(2, step * power) : step * power
}
