import { gridStyle } from './chart-style.ts'

/** The top, the middle and the foot of a drawing that is 100 high. */
export function Grid({ width }: { width: number }) {
  return [0, 50, 100].map((y) => (
    <line key={y} x1="0" x2={width} y1={y} y2={y} vectorEffect="non-scaling-stroke" className={gridStyle} />
  ))
}
