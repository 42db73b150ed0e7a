import { barStyle, type DrawingProps, Grid } from './chart-drawing.tsx'

const barWidth = 0.72

/** One bar per span, with several series stacked. Fills the available width. */
export function Bars({ summary, axisMax, plottedSeries }: DrawingProps) {
  const count = Math.max(1, plottedSeries[0]?.values.length ?? 0)
  return (
    <svg
      role="img"
      aria-label={summary}
      viewBox={`0 0 ${count} 100`}
      preserveAspectRatio="none"
      className="block h-40 w-full overflow-visible"
    >
      <Grid width={count} />
      {Array.from({ length: count }, (_, index) => {
        let top = 0
        return plottedSeries.map(({ name, isBad, values }, series) => {
          const height = ((values[index] ?? 0) / axisMax) * 100
          top += height
          return height === 0 ? null : (
            <rect
              key={name}
              x={index + (1 - barWidth) / 2}
              y={100 - top}
              width={barWidth}
              height={height}
              vectorEffect="non-scaling-stroke"
              className={barStyle(series, isBad)}
            />
          )
        })
      })}
    </svg>
  )
}
