import { type ReactNode, useEffect, useRef } from 'react'
import { CopyButton } from '#ui/CopyButton.tsx'

interface Props {
  direction: string | undefined
  columns: number
  children: ReactNode
}

const shadow =
  'pointer-events-none absolute inset-y-0 w-6 from-ink/15 to-transparent opacity-0 transition-opacity print:hidden'

/** From this number of columns, a table takes all the space from the start, so that it never moves while it grows. */
const manyColumns = 7

/** A table. It may grow beyond the end of the text, into the free space (`--bleed`) beside it, before it scrolls. */
export function TableBlock({ direction, columns, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)

  /** Shows a shadow at each edge beyond which there is more. */
  function updateShadows() {
    const box = scroller.current
    if (box === null || frame.current === null) return
    // Negative in right-to-left text.
    const position = Math.abs(box.scrollLeft)
    frame.current.toggleAttribute('data-more-before', position > 1)
    frame.current.toggleAttribute('data-more-after', position + box.clientWidth < box.scrollWidth - 1)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function reads only refs
  useEffect(() => {
    const observer = new ResizeObserver(updateShadows)
    for (const element of [scroller.current, scroller.current?.firstElementChild])
      if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [])

  async function copy(): Promise<boolean> {
    const { copyTable } = await import('./copy-table.ts')
    const table = scroller.current?.querySelector('table')
    return table ? copyTable(table) : false
  }
  return (
    <div data-table dir={direction} className="mx-[calc(-1*var(--bleed))] flex [--bleed:0px]">
      <div
        className={
          columns < manyColumns
            ? 'ms-(--bleed) min-w-[calc(100%-2*var(--bleed))] max-w-[calc(100%-var(--bleed))] shrink-0'
            : 'w-full'
        }
      >
        <div
          ref={frame}
          className="group/table relative overflow-hidden rounded-card border border-hairline bg-page"
        >
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a chat would have hundreds of landmarks */}
          <div
            ref={scroller}
            role="group"
            dir={direction}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
            tabIndex={0}
            aria-label="Table"
            onScroll={updateShadows}
            className="overflow-x-auto -outline-offset-2"
          >
            <table className="min-w-full border-collapse text-sm tabular-nums [&_tbody_tr:last-child_td]:border-b-0">
              {children}
            </table>
          </div>
          <div
            className={`${shadow} start-0 bg-linear-to-r group-data-more-before/table:opacity-100 rtl:bg-linear-to-l`}
          />
          <div
            className={`${shadow} end-0 bg-linear-to-l group-data-more-after/table:opacity-100 rtl:bg-linear-to-r`}
          />
        </div>
        <div dir="ltr" className="flex justify-end print:hidden">
          <span className="rounded-control in-[.on-picture]:bg-page">
            <CopyButton onCopy={copy} label="Copy table" />
          </span>
        </div>
      </div>
    </div>
  )
}
