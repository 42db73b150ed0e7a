import type { Analytics, UsageTotals } from '@lyceum/contract/analytics'
import { Card } from '#ui/Card.tsx'
import { type Change, changeOf, percent, shortNumber, wait } from './figure-labels.ts'

interface Figure {
  name: string
  value: string
  /** What it is made of. */
  detail: string
  change: Change | null
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
function tokens({ inputTokens, outputTokens }: UsageTotals): number {
  return inputTokens + outputTokens
}

function figuresOf({ totals, before }: Analytics): Figure[] {
  return [
    {
      name: 'Messages',
      value: shortNumber(totals.messages),
      detail: `${totals.replies.toLocaleString()} replies`,
      change: changeOf(totals.messages, before.messages),
    },
    {
      name: 'People',
      value: shortNumber(totals.people),
      detail: 'asked something',
      change: changeOf(totals.people, before.people),
    },
    {
      name: 'Tokens',
      value: shortNumber(tokens(totals)),
      detail: `${shortNumber(totals.inputTokens)} read, ${shortNumber(totals.outputTokens)} written`,
      change: changeOf(tokens(totals), tokens(before)),
    },
    {
      name: 'Refusals',
      value: percent(totals.refusals, totals.replies),
      detail: `${totals.refusals.toLocaleString()} replies, ${totals.failures.toLocaleString()} more failed`,
      change: changeOf(share(totals.refusals, totals.replies), share(before.refusals, before.replies)),
    },
    {
      name: 'Satisfaction',
      value: percent(totals.good, totals.good + totals.bad),
      detail: `${totals.good.toLocaleString()} good, ${totals.bad.toLocaleString()} bad`,
      change: changeOf(
        share(totals.good, totals.good + totals.bad),
        share(before.good, before.good + before.bad),
      ),
    },
    {
      name: 'First word',
      value: wait(totals.firstWordP50),
      detail: `95 % within ${wait(totals.firstWordP95)}`,
      change: changeOf(totals.firstWordP50 ?? 0, before.firstWordP50 ?? 0),
    },
  ]
}

/** What the range comes to, with how it moved against the one before. */
export function Figures({ analytics }: { analytics: Analytics }) {
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      {figuresOf(analytics).map(({ name, value, detail, change }) => (
        <Card key={name} className="flex min-w-0 flex-col gap-1 p-4">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-semibold text-2xl tabular-nums">{value}</span>
            {change !== null && (
              <span className="text-muted text-xs tabular-nums">
                <span aria-hidden="true">{change.text}</span>
                <span className="sr-only">, {change.words}</span>
              </span>
            )}
          </dd>
          <dd className="wrap-anywhere text-muted text-xs tabular-nums">{detail}</dd>
        </Card>
      ))}
    </dl>
  )
}
