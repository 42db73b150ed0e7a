import type { UsageDay } from '@lyceum/contract/analytics'
import { Chart } from './charts/Chart.tsx'
import { shortNumber, wait } from './figure-labels.ts'

function number(value: number): string {
  return shortNumber(Math.round(value * 10) / 10)
}

/** The figures day by day. */
export function Charts({ days }: { days: readonly UsageDay[] }) {
  const bars = { days, form: 'bars', together: 'sum', format: number } as const
  return (
    <section aria-label="Day by day" className="grid items-start gap-4 lg:grid-cols-2">
      <Chart {...bars} title="Messages" series={[{ name: 'Messages', value: ({ messages }) => messages }]} />
      <Chart
        {...bars}
        together="mean"
        title="People"
        series={[{ name: 'People', value: ({ people }) => people }]}
      />
      <Chart
        {...bars}
        title="Tokens"
        series={[
          { name: 'Written', value: ({ outputTokens }) => outputTokens },
          { name: 'Read', value: ({ inputTokens }) => inputTokens },
        ]}
      />
      <Chart
        days={days}
        form="lines"
        together="mean"
        format={wait}
        title="Wait for the first word"
        series={[
          { name: 'Half of the replies within', value: ({ firstWordP50 }) => firstWordP50 },
          { name: '95 % within', value: ({ firstWordP95 }) => firstWordP95 },
        ]}
      />
      <Chart
        {...bars}
        title="Refused and failed"
        series={[
          { name: 'Failed', value: ({ failures }) => failures },
          { name: 'Refused', value: ({ refusals }) => refusals },
        ]}
      />
      <Chart
        {...bars}
        title="Opinions"
        series={[
          { name: 'Good', value: ({ good }) => good },
          { name: 'Bad', value: ({ bad }) => bad },
        ]}
      />
    </section>
  )
}
