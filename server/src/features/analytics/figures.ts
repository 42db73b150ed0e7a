import {
  addDays,
  countDays,
  type DayRange,
  type UsageDay,
  type UsageFigures,
  type UsageModel,
} from '@lyceum/contract/analytics'
import { countColumns, type DailyUsage, type UsageSums } from './store.ts'
import { computePercentile } from './waits.ts'

type Counts = Omit<UsageSums, 'people'>

export function toFigures(sums: Counts): UsageFigures {
  return {
    messages: sums.messages,
    replies: sums.replies,
    refusals: sums.refusals,
    failures: sums.failures,
    quoted: sums.quoted,
    inputTokens: sums.input_tokens,
    outputTokens: sums.output_tokens,
    good: sums.good,
    bad: sums.bad,
    firstWordP50: computePercentile(sums, 50),
    firstWordP95: computePercentile(sums, 95),
  }
}

function sumRows(rows: readonly Counts[]): Counts {
  return Object.fromEntries(
    countColumns.map((name) => [name, rows.reduce((total, row) => total + row[name], 0)]),
  ) as unknown as Counts
}

export function sumFigures(rows: readonly DailyUsage[]): UsageFigures {
  return toFigures(sumRows(rows))
}

/** Every day of the range, including days without messages. */
export function groupByDay(rows: readonly DailyUsage[], range: DayRange): UsageDay[] {
  const days = Map.groupBy(rows, ({ day }) => day)
  return Array.from({ length: countDays(range) }, (_, index) => {
    const day = addDays(range.from, index)
    const dayRows = days.get(day) ?? []
    return { day, ...sumFigures(dayRows), people: dayRows.reduce((total, { people }) => total + people, 0) }
  })
}

/** Most replies first. Leaves out rows that only count questions, for which the model is not known yet. */
export function groupByModel(rows: readonly DailyUsage[]): UsageModel[] {
  return [...Map.groupBy(rows, ({ model }) => model)]
    .map(([model, modelRows]) => ({ model, ...sumFigures(modelRows) }))
    .filter(({ replies, inputTokens, outputTokens }) => replies + inputTokens + outputTokens > 0)
    .toSorted((a, b) => b.replies - a.replies || (a.model < b.model ? -1 : 1))
}
