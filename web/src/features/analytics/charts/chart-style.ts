import { cx } from '#ui/cx.ts'

/** The first of two is filled, the second outlined: told apart without colour. */
export function barStyle(at: number): string {
  return cx(
    'stroke-link forced-colors:stroke-[CanvasText]',
    at === 0 ? 'fill-link forced-colors:fill-[CanvasText]' : 'fill-raised forced-colors:fill-[Canvas]',
  )
}

export const lineStyle = 'fill-none stroke-2 stroke-link forced-colors:stroke-[CanvasText]'
/** The second of two is dashed. */
export function dashOf(at: number): string | undefined {
  return at === 0 ? undefined : '4 3'
}

export const gridStyle = 'stroke-hairline forced-colors:stroke-[GrayText]'

/** What is drawn of a series, span by span; null where there is nothing to say. */
export type Drawn = readonly { name: string; values: readonly (number | null)[] }[]

export interface DrawingProps {
  /** Read instead of the drawing. */
  summary: string
  /** What the height stands for. */
  end: number
  drawn: Drawn
  /** Shown where one points at, by span and series. */
  labels: readonly (readonly string[])[]
}
