import { type DrawingProps, dashOf, lineStyle } from './chart-style.ts'
import { Grid } from './Grid.tsx'

/** From point to point, with a gap where there is nothing to say; a point alone is a short stroke. */
function pathOf(values: readonly (number | null)[], end: number): string {
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

/** One line a series. It takes the width that it is given. */
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
          d={pathOf(values, end)}
          vectorEffect="non-scaling-stroke"
          strokeDasharray={dashOf(series)}
          strokeLinejoin="round"
          className={lineStyle}
        />
      ))}
      {labels.map((names, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place in the drawing
        <rect key={at} x={at} y="0" width="1" height="100" className="fill-transparent">
          <title>{names.join('\n')}</title>
        </rect>
      ))}
    </svg>
  )
}
