import { cx } from '#ui/cx.ts'

/** The first series is filled, the second outlined, so that colour is not needed to tell them apart. */
export function barStyle(at: number): string {
  return cx(
    'stroke-link forced-colors:stroke-[CanvasText]',
    at === 0 ? 'fill-link forced-colors:fill-[CanvasText]' : 'fill-raised forced-colors:fill-[Canvas]',
  )
}

export const lineStyle = 'fill-none stroke-2 stroke-link forced-colors:stroke-[CanvasText]'
/** The second series is dashed. */
export function dashStyle(at: number): string | undefined {
  return at === 0 ? undefined : '4 3'
}

const gridStyle = 'stroke-hairline forced-colors:stroke-[GrayText]'

/** The values of each series by span; null if a span has no value. */
export type Drawn = readonly { name: string; values: readonly (number | null)[] }[]

export interface DrawingProps {
  /** Read by screen readers. */
  summary: string
  /** The value at the top of the drawing. */
  end: number
  drawn: Drawn
  /** Tooltips by span and series. */
  labels: readonly (readonly string[])[]
}

/** Lines at the top, middle and bottom of a drawing that is 100 units high. */
export function Grid({ width }: { width: number }) {
  return [0, 50, 100].map((y) => (
    <line key={y} x1="0" x2={width} y1={y} y2={y} vectorEffect="non-scaling-stroke" className={gridStyle} />
  ))
}
