import type { UsageDay } from '@lyceum/contract/analytics'
import { type ReactNode, useId, useState } from 'react'
import { Card } from '#ui/Card.tsx'
import { Table } from '#ui/Table.tsx'
import { formatDayLabel } from '../format-figures.ts'
import { Bars } from './Bars.tsx'
import { barStyle, dashStyle, lineStyle, type PlottedSeries } from './chart-drawing.tsx'
import { Explorer } from './Explorer.tsx'
import { Lines } from './Lines.tsx'
import { computeAxisMaximum, groupIntoSpans, type Span } from './scale.ts'

interface Series {
  name: string
  isBad?: boolean
  /** Null if the day has no value. */
  value: (day: UsageDay) => number | null
}

interface Props {
  title: string
  days: readonly UsageDay[]
  /** At most two. The second is outlined or dashed. */
  series: readonly Series[]
  kind: 'bars' | 'lines'
  /** How the days of a week are combined. */
  aggregate: 'sum' | 'mean'
  format: (value: number) => string
}

function computeSpanValue(
  { days }: Span,
  { value: getValue }: Series,
  aggregate: Props['aggregate'],
): number | null {
  const known = days.map(getValue).filter((value) => value !== null)
  if (known.length === 0) return null
  const sum = known.reduce((total, value) => total + value, 0)
  return aggregate === 'sum' ? sum : sum / known.length
}

function formatSpan({ from, to }: Span): string {
  return from === to ? formatDayLabel(from) : `${formatDayLabel(from)} to ${formatDayLabel(to)}`
}

/** Describes the chart for screen readers. */
function summarize(
  { title, aggregate, format }: Props,
  spans: readonly Span[],
  plottedSeries: PlottedSeries,
): string {
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return title
  const parts = plottedSeries.map(({ name, values }) => {
    const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]))
    if (known.length === 0) return `${name}: none`
    const highest = known.reduce((a, b) => (b.value > a.value ? b : a))
    const sum = known.reduce((all, { value }) => all + value, 0)
    const span = spans[highest.index]
    const all = aggregate === 'sum' ? `${format(sum)} in total, ` : ''
    return sum === 0
      ? `${name}: none`
      : `${name}: ${all}highest ${format(highest.value)} (${span ? formatSpan(span) : ''})`
  })
  return `${title} from ${formatDayLabel(first.from, true)} to ${formatDayLabel(last.to, true)}. ${parts.join('. ')}.`
}

function Legend({ series, kind }: Pick<Props, 'series' | 'kind'>) {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {series.map(({ name, isBad = false }, index) => (
        <li key={name} className="flex items-center gap-1.5">
          <svg viewBox="0 0 16 10" className="h-2.5 w-4" focusable="false">
            <title>{name}</title>
            {kind === 'bars' ? (
              <rect x="1" y="1" width="14" height="8" className={barStyle(index, isBad)} strokeWidth="1.5" />
            ) : (
              <line x1="0" y1="5" x2="16" y2="5" className={lineStyle} strokeDasharray={dashStyle(index)} />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

function Axis({ axisMax, format }: { axisMax: number; format: (value: number) => string }) {
  return (
    <div
      aria-hidden="true"
      className="flex h-40 w-12 shrink-0 flex-col justify-between text-right text-muted text-xs tabular-nums"
    >
      {[axisMax, axisMax / 2, 0].map((value) => (
        <span key={value} className="-my-2 truncate">
          {format(value)}
        </span>
      ))}
    </div>
  )
}

function DayTable({ title, days, series, format }: Props) {
  return (
    <div className="rounded-control border border-hairline">
      <Table
        caption={title}
        columns={[
          { header: 'Day', isRowHeader: true, cell: ({ day }: UsageDay) => formatDayLabel(day, true) },
          ...series.map(({ name, value }) => ({
            header: name,
            align: 'end' as const,
            cell: (day: UsageDay): ReactNode => {
              const known = value(day)
              return known === null ? '–' : format(known)
            },
          })),
        ]}
        rows={days}
        getKey={({ day }) => day}
        empty={null}
      />
    </div>
  )
}

/** Shows a daily figure as a chart, as a sentence for screen readers and as a table. */
export function Chart(props: Props) {
  const { title, days, series, kind, aggregate, format } = props
  const [isTable, setIsTable] = useState(false)
  const headingId = useId()
  const tableId = useId()
  const spans = groupIntoSpans(days)
  const plottedSeries = series.map((item) => ({
    name: item.name,
    isBad: item.isBad === true,
    values: spans.map((span) => computeSpanValue(span, item, aggregate)),
  }))
  const heights = spans.map((_, index) => {
    const values = plottedSeries.map(({ values: all }) => all[index] ?? 0)
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
  })
  const axisMax = computeAxisMaximum(Math.max(0, ...heights), kind === 'bars')
  const Drawing = kind === 'bars' ? Bars : Lines
  const [first, last] = [days[0], days.at(-1)]
  return (
    <Card className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={headingId} className="font-semibold text-base">
          {title}
          {spans.length < days.length && (
            <span className="font-normal text-muted text-xs">
              {aggregate === 'sum' ? ' by week' : ' by week, daily average'}
            </span>
          )}
        </h3>
        {series.length > 1 && <Legend series={series} kind={kind} />}
      </div>
      <div className="flex gap-2 pt-2">
        <Axis axisMax={axisMax} format={format} />
        <div className="min-w-0 flex-1">
          <Explorer
            label={`Values of ${title}`}
            tooltips={spans.map((span, index) => [
              formatSpan(span),
              ...plottedSeries.map(({ name, values }) => {
                const value = values[index] ?? null
                return `${name}: ${value === null ? 'none' : format(value)}`
              }),
            ])}
          >
            <Drawing
              summary={summarize(props, spans, plottedSeries)}
              axisMax={axisMax}
              plottedSeries={plottedSeries}
            />
          </Explorer>
          <div aria-hidden="true" className="mt-2 flex justify-between text-muted text-xs">
            <span>{first && formatDayLabel(first.day)}</span>
            <span>{last && formatDayLabel(last.day)}</span>
          </div>
        </div>
      </div>
      <div>
        <button
          type="button"
          aria-expanded={isTable}
          aria-controls={isTable ? tableId : undefined}
          aria-describedby={headingId}
          onClick={() => setIsTable(!isTable)}
          className="-mx-1 min-h-8 rounded-control px-1 font-medium text-link text-sm hover:underline pointer-coarse:min-h-11"
        >
          {isTable ? 'Hide the table' : 'Show as table'}
        </button>
        {isTable && (
          <div id={tableId} className="mt-2">
            <DayTable {...props} />
          </div>
        )}
      </div>
    </Card>
  )
}
