import type { UsageDay } from '@lyceum/contract/analytics'
import { Chart } from './charts/Chart.tsx'
import { formatDuration, formatNumber } from './format-figures.ts'

function formatRounded(value: number): string {
  return formatNumber(Math.round(value * 10) / 10)
}

export function Charts({ days }: { days: readonly UsageDay[] }) {
  const bars = { days, kind: 'bars', aggregate: 'sum', format: formatRounded } as const
  return (
    <section aria-label="Day by day" className="grid items-start gap-4 lg:grid-cols-2">
      <Chart {...bars} title="Messages" series={[{ name: 'Messages', value: ({ messages }) => messages }]} />
      <Chart
        {...bars}
        aggregate="mean"
        title="Users"
        series={[{ name: 'Users', value: ({ people }) => people }]}
      />
      <Chart
        {...bars}
        title="Tokens"
        series={[
          { name: 'Output', value: ({ outputTokens }) => outputTokens },
          { name: 'Input', value: ({ inputTokens }) => inputTokens },
        ]}
      />
      <Chart
        days={days}
        kind="lines"
        aggregate="mean"
        format={formatDuration}
        title="Time to first word"
        series={[
          { name: 'Median', value: ({ firstWordP50 }) => firstWordP50 },
          { name: '95th percentile', value: ({ firstWordP95 }) => firstWordP95 },
        ]}
      />
      <Chart
        {...bars}
        title="Refused and failed"
        series={[
          { name: 'Failed', isBad: true, value: ({ failures }) => failures },
          { name: 'Refused', value: ({ refusals }) => refusals },
        ]}
      />
      <Chart
        {...bars}
        title="Feedback"
        series={[
          { name: 'Good', value: ({ good }) => good },
          { name: 'Bad', isBad: true, value: ({ bad }) => bad },
        ]}
      />
    </section>
  )
}
