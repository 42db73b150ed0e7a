import { cx } from '#ui/cx.ts'

/** The second series has a lighter shade and an outline, so that color is not the only difference. */
export function barStyle(index: number, isBad: boolean): string {
  const isFirst = index === 0
  return cx(
    'forced-colors:stroke-[CanvasText]',
    isBad ? 'stroke-danger' : 'stroke-link',
    isBad ? (isFirst ? 'fill-danger' : 'fill-danger/35') : isFirst ? 'fill-link' : 'fill-link/35',
    isFirst ? 'forced-colors:fill-[CanvasText]' : 'forced-colors:fill-[Canvas]',
  )
}

export const lineStyle = 'fill-none stroke-2 stroke-link forced-colors:stroke-[CanvasText]'
/** The second series is dashed. */
export function dashStyle(index: number): string | undefined {
  return index === 0 ? undefined : '4 3'
}

const gridStyle = 'stroke-hairline forced-colors:stroke-[GrayText]'

/** The values of each series by span; null if a span has no value. */
export type PlottedSeries = readonly {
  name: string
  /** Counts something bad, such as failures, and has the color of errors. */
  isBad: boolean
  values: readonly (number | null)[]
}[]

export interface DrawingProps {
  /** Read by screen readers. */
  summary: string
  /** The value at the top of the axis. */
  axisMax: number
  plottedSeries: PlottedSeries
}

/** Lines at the top, middle and bottom of a drawing that is 100 units high. */
export function Grid({ width }: { width: number }) {
  return [0, 50, 100].map((y) => (
    <line key={y} x1="0" x2={width} y1={y} y2={y} vectorEffect="non-scaling-stroke" className={gridStyle} />
  ))
}
