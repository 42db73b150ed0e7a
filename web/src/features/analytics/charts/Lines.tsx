import { type DrawingProps, dashStyle, Grid, lineStyle } from './chart-drawing.tsx'

/** Connects the points, leaves gaps for missing values and draws a lone point as a short stroke. */
function buildPath(values: readonly (number | null)[], end: number): string {
  let isDrawing = false
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const y = (100 - (value / end) * 100).toFixed(2)
      const step = isDrawing ? `L${at + 0.5} ${y}` : `M${at + 0.4} ${y}L${at + 0.6} ${y}`
      isDrawing = true
      return step
    })
    .join('')
}

/** One line per series. Fills the available width. */
export function Lines({ summary, end, drawn, labels }: DrawingProps) {
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
      {drawn.map(({ name, values }, series) => (
        <path
          key={name}
          d={buildPath(values, end)}
          vectorEffect="non-scaling-stroke"
          strokeDasharray={dashStyle(series)}
          strokeLinejoin="round"
          className={lineStyle}
        />
      ))}
      {labels.map((names, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed position in the drawing
        <rect key={at} x={at} y="0" width="1" height="100" className="fill-transparent">
          <title>{names.join('\n')}</title>
        </rect>
      ))}
    </svg>
  )
}
