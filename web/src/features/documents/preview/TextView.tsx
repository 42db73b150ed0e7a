import type { documentText } from '@lyceum/contract/documents'
import { useEffect, useRef } from 'react'
import type * as z from 'zod/mini'

interface Props {
  text: z.output<typeof documentText>
  /** The passage to mark, in UTF-16 code units of the whole document. */
  charStart?: number | undefined
  charEnd?: number | undefined
  label: string
}

type Page = Props['text']['pages'][number]

/** A document's extracted text with the cited passage marked and scrolled into view. */
export function TextView({ text, charStart, charEnd, label }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const hasRange = charStart !== undefined && charEnd !== undefined && charEnd > charStart
  const isPassageLoaded =
    hasRange && text.pages.some((page) => charStart < getEnd(page) && charEnd > page.start)

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again when the passage or the text changes
  useEffect(() => {
    scroller.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [text, charStart, charEnd])

  return (
    <div className="flex h-full min-h-0 flex-col">
      {hasRange && !isPassageLoaded && (
        <p role="status" className="border-hairline border-b bg-warning-soft px-4 py-2 text-sm">
          The cited passage is not in this part of the text.
        </p>
      )}
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the text is scrolled with the keyboard
        tabIndex={0}
        aria-label={label}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-4 -outline-offset-2 sm:px-6"
      >
        <div className="mx-auto max-w-[70ch] space-y-6 text-base">
          {text.pages.map((page) => (
            <PageText
              key={page.start}
              page={page}
              charStart={charStart ?? 0}
              charEnd={hasRange ? charEnd : 0}
            />
          ))}
        </div>
      </section>
    </div>
  )
}

function getEnd(page: Page): number {
  return page.start + page.text.length
}

function PageText({ page, charStart, charEnd }: { page: Page; charStart: number; charEnd: number }) {
  const from = Math.min(Math.max(charStart - page.start, 0), page.text.length)
  const to = Math.min(Math.max(charEnd - page.start, from), page.text.length)
  return (
    <article aria-label={page.page === null ? undefined : `Page ${page.page}`}>
      {page.page !== null && <p className="mb-2 text-muted text-xs tabular-nums">Page {page.page}</p>}
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {page.text.slice(0, from)}
        {to > from && (
          <mark className="rounded-sm bg-primary-100 text-ink dark:bg-primary-900">
            {page.text.slice(from, to)}
          </mark>
        )}
        {page.text.slice(to)}
      </p>
    </article>
  )
}
