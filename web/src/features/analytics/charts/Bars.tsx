import { barStyle, type DrawingProps } from './chart-style.ts'
import { Grid } from './Grid.tsx'

const barWidth = 0.72

/** One bar a span, several series upon each other. It takes the width that it is given. */
export function Bars({ summary, end, drawn, labels }: DrawingProps) {
  const count = Math.max(1, labels.length)
  return (
    <svg
      role="img"
      aria-label={summary}
      viewBox={`0 0 ${count} 100`}
      preserveAspectRatio="none"
      className="block h-40 w-full overflow-visible"
    >
      <Grid width={count} />
      {labels.map((names, at) => {
        let foot = 0
        return drawn.map(({ name, values }, series) => {
          const height = ((values[at] ?? 0) / end) * 100
          foot += height
          return height === 0 ? null : (
            <rect
              key={name}
              x={at + (1 - barWidth) / 2}
              y={100 - foot}
              width={barWidth}
              height={height}
              vectorEffect="non-scaling-stroke"
              className={barStyle(series)}
            >
              <title>{names[series]}</title>
            </rect>
          )
        })
      })}
    </svg>
  )
}
