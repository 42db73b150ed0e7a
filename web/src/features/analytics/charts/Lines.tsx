import { type DrawingProps, dashStyle, Grid, lineStyle } from './chart-drawing.tsx'

/** Connects the points, leaves gaps for missing values and draws a lone point as a short stroke. */
function buildPath(values: readonly (number | null)[], axisMax: number): string {
  let isDrawing = false
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const y = (100 - (value / axisMax) * 100).toFixed(2)
      const step = isDrawing ? `L${index + 0.5} ${y}` : `M${index + 0.4} ${y}L${index + 0.6} ${y}`
      isDrawing = true
      return step
    })
    .join('')
}

/** One line per series. Fills the available width. */
export function Lines({ summary, axisMax, plottedSeries }: DrawingProps) {
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
      {plottedSeries.map(({ name, values }, series) => (
        <path
          key={name}
          d={buildPath(values, axisMax)}
          vectorEffect="non-scaling-stroke"
          strokeDasharray={dashStyle(series)}
          strokeLinejoin="round"
          className={lineStyle}
        />
      ))}
    </svg>
  )
}
