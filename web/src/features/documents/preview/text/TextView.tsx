import type { DocumentText } from '@lyceum/contract/documents'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { whenIdle } from '#lib/when-idle.ts'
import { TextBlock } from './TextBlock.tsx'
import { type BlockGroup, groupBlocks, overlaps, type TextRange } from './text-blocks.ts'

interface Props {
  text: Pick<DocumentText, 'pages' | 'blocks'>
  /** The passage to mark, in UTF-16 code units of the whole document. */
  charStart?: number | undefined
  charEnd?: number | undefined
  label: string
}

const idleTimeoutMs = 200

/** Until a group is formatted, its plain text takes its place, so that the browser can search it. */
const Group = memo(
  ({ group, mark, isFormatted }: { group: BlockGroup; mark: TextRange | null; isFormatted: boolean }) => (
    <article aria-label={group.page === null ? undefined : `Page ${group.page}`} className="space-y-4">
      {group.page !== null && <p className="text-muted text-xs tabular-nums">Page {group.page}</p>}
      {isFormatted ? (
        group.blocks.map((block) => (
          <TextBlock
            key={block.start}
            block={block}
            mark={
              mark && overlaps(mark, { start: block.start, end: block.start + block.text.length })
                ? mark
                : null
            }
          />
        ))
      ) : (
        <p
          dir="auto"
          className="whitespace-pre-wrap [contain-intrinsic-size:auto_2400px] [content-visibility:auto]"
        >
          {group.blocks.map(({ text }) => text).join('\n\n')}
        </p>
      )}
    </article>
  ),
)

/** A document's extracted text with the cited passage marked and scrolled into view. */
export function TextView({ text, charStart, charEnd, label }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const groups = useMemo(() => groupBlocks(text), [text])
  const mark = useMemo(
    () =>
      charStart !== undefined && charEnd !== undefined && charEnd > charStart
        ? { start: charStart, end: charEnd }
        : null,
    [charStart, charEnd],
  )
  const first = mark === null ? 0 : groups.findIndex((group) => overlaps(group, mark))
  const last = mark === null ? 0 : groups.findLastIndex((group) => overlaps(group, mark))

  // A long document is formatted from the passage outwards while the browser is idle.
  const [distance, setDistance] = useState(1)
  const isComplete = first - distance <= 0 && last + distance >= groups.length - 1
  useEffect(
    () => (isComplete ? undefined : whenIdle(() => setDistance(distance + 1), idleTimeoutMs)),
    [isComplete, distance],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again when the passage or the text changes
  useEffect(() => {
    scroller.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [text, charStart, charEnd])

  return (
    <div className="flex h-full min-h-0 flex-col">
      {mark !== null && first < 0 && (
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
        <div className="mx-auto max-w-[70ch] space-y-4 break-words text-base">
          {groups.map((group, index) => (
            <Group
              key={group.start}
              group={group}
              mark={mark && overlaps(group, mark) ? mark : null}
              isFormatted={index >= first - distance && index <= Math.max(last, 0) + distance}
            />
          ))}
        </div>
      </section>
    </div>
  )
}
