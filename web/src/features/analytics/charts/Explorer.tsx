import { type PointerEvent, type ReactNode, useState } from 'react'

interface Props {
  label: string
  /** The lines of each tooltip: the span, then one line for each series. */
  tooltips: readonly (readonly string[])[]
  /** The drawing, in which all spans have the same width. */
  children: ReactNode
}

/** Shows the values of one span: under the pointer, where a finger drags, or chosen with the arrow keys. */
export function Explorer({ label, tooltips, children }: Props) {
  const [index, setIndex] = useState<number | null>(null)
  const [isFocused, setIsFocused] = useState(false)
  const last = tooltips.length - 1
  const shown = index === null ? undefined : tooltips[index]

  function handlePointerMove({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    const position = Math.floor(((clientX - left) / width) * tooltips.length)
    setIndex(Math.min(last, Math.max(0, position)))
  }
  if (last < 0) return children
  const center = (((index ?? 0) + 0.5) / tooltips.length) * 100
  return (
    <div
      className="relative rounded-control outline-offset-4 has-focus-visible:outline-2 has-focus-visible:outline-ring"
      onPointerMove={handlePointerMove}
      onPointerLeave={() => !isFocused && setIndex(null)}
    >
      {children}
      <input
        type="range"
        aria-label={label}
        min={0}
        max={last}
        value={index ?? last}
        aria-valuetext={(tooltips[index ?? last] ?? []).join(', ')}
        onChange={({ target }) => setIndex(Number(target.value))}
        onFocus={() => {
          setIsFocused(true)
          setIndex(index ?? last)
        }}
        onBlur={() => {
          setIsFocused(false)
          setIndex(null)
        }}
        className="absolute inset-0 m-0 size-full cursor-crosshair opacity-0"
      />
      {shown !== undefined && (
        <div aria-hidden="true" className="pointer-events-none absolute inset-0">
          <div
            className="absolute inset-y-0 border-muted border-l border-dashed"
            style={{ left: `${center}%` }}
          />
          <div
            className="absolute bottom-full z-10 mb-1 rounded-control border border-hairline bg-raised px-3 py-2 text-xs tabular-nums shadow-float"
            // Stays inside the chart at both ends.
            style={{ left: `${center}%`, transform: `translateX(-${center}%)` }}
          >
            {shown.map((line, at) => (
              <p
                key={line}
                className={at === 0 ? 'whitespace-nowrap text-muted' : 'whitespace-nowrap font-medium'}
              >
                {line}
              </p>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
