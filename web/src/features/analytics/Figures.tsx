import { type Analytics, countDays, type UsageTotals } from '@lyceum/contract/analytics'
import { formatCount } from '#lib/format-count.ts'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/cx.ts'
import {
  type Change,
  describeChange,
  describeShareChange,
  formatDuration,
  formatNumber,
  formatPercentage,
} from './format-figures.ts'

interface Figure {
  name: string
  value: string
  detail: string
  change: Change | null
  /** Which direction is good; 0 if neither is. */
  better: -1 | 0 | 1
}

/** Color only repeats what the sign says. */
function changeColor({ direction }: Change, better: Figure['better']): string {
  if (direction === 0 || better === 0) return 'text-muted'
  return direction === better ? 'text-success' : 'text-danger'
}

function sumTokens({ inputTokens, outputTokens }: UsageTotals): number {
  return inputTokens + outputTokens
}

/** The second half names the previous period, because the first half is about this one. */
function describeFirstWord(analytics: Analytics): string {
  const { totals, before } = analytics
  const slowest = `95% within ${formatDuration(totals.firstWordP95)}`
  if (before.firstWordP50 === null) return slowest
  const median = formatDuration(before.firstWordP50)
  return `${slowest}; median ${median} in the ${formatCount(countDays(analytics), 'day')} before`
}

function listFigures(analytics: Analytics): Figure[] {
  const { totals, before } = analytics
  return [
    {
      name: 'Messages',
      better: 0,
      value: formatNumber(totals.messages),
      detail: formatCount(totals.replies, 'reply', 'replies'),
      change: describeChange(totals.messages, before.messages),
    },
    {
      name: 'Users',
      better: 0,
      value: formatNumber(totals.people),
      detail: 'sent a message',
      change: describeChange(totals.people, before.people),
    },
    {
      name: 'Tokens',
      better: 0,
      value: formatNumber(sumTokens(totals)),
      detail: `${formatNumber(totals.inputTokens)} input, ${formatNumber(totals.outputTokens)} output`,
      change: describeChange(sumTokens(totals), sumTokens(before)),
    },
    {
      name: 'Refusals',
      better: -1,
      value: formatPercentage(totals.refusals, totals.replies),
      detail: `${totals.refusals.toLocaleString()} refused, ${totals.failures.toLocaleString()} failed`,
      change: describeShareChange(
        { part: totals.refusals, whole: totals.replies },
        { part: before.refusals, whole: before.replies },
      ),
    },
    {
      name: 'Satisfaction',
      better: 1,
      value: formatPercentage(totals.good, totals.good + totals.bad),
      detail: `${totals.good.toLocaleString()} good, ${totals.bad.toLocaleString()} bad`,
      change: describeShareChange(
        { part: totals.good, whole: totals.good + totals.bad },
        { part: before.good, whole: before.good + before.bad },
      ),
    },
    {
      name: 'Time to first word',
      better: -1,
      value: formatDuration(totals.firstWordP50),
      detail: describeFirstWord(analytics),
      change:
        totals.firstWordP50 === null ? null : describeChange(totals.firstWordP50, before.firstWordP50 ?? 0),
    },
  ]
}

/** The totals of the period and their change from the previous period. */
export function Figures({ analytics }: { analytics: Analytics }) {
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        {listFigures(analytics).map(({ name, value, detail, change, better }) => (
          <Card key={name} className="flex min-w-0 flex-col gap-1 p-4">
            <dt className="text-muted text-sm">{name}</dt>
            <dd className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-semibold text-2xl tabular-nums">{value}</span>
              {change !== null && (
                <span className={cx('text-xs tabular-nums', changeColor(change, better))}>
                  <span aria-hidden="true">{change.text}</span>
                  <span className="sr-only">, {change.description}</span>
                </span>
              )}
            </dd>
            <dd className="wrap-anywhere text-muted text-xs tabular-nums">{detail}</dd>
          </Card>
        ))}
      </dl>
      <p className="text-muted text-xs">
        Changes compare with the {formatCount(countDays(analytics), 'day')} before. Percentages change by
        points (pts).
      </p>
    </div>
  )
}
