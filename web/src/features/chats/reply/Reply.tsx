import type { Citation } from '@lyceum/contract/citations'
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Block } from './Block.tsx'
import { CitationsContext, type OpenCitation } from './citation.ts'
import { detectDirection } from './direction.ts'
import { FormulaBudget, FormulaBudgetContext } from './formula-budget.ts'
import { GrowingReply, type ReplyGroup } from './growing-reply.ts'
import { loadKatex } from './load-katex.ts'
import { invalidate, offscreenPartStyle, watchPart } from './offscreen-parts.ts'
import { Sources } from './Sources.tsx'
import { useShownGroups } from './use-shown-groups.ts'

interface ReplyProps {
  text: string
  citations?: readonly Citation[] | undefined
  /** The text is still growing, so its unfinished end is completed for display. */
  streaming?: boolean | undefined
  /** The reply was stopped or interrupted. */
  isCut?: boolean | undefined
  onOpenCitation?: OpenCitation | undefined
  /** Show all of a long reply at once, for printing. */
  atOnce?: boolean | undefined
}

/** A group of blocks. It does not rerender while later groups grow. */
const Blocks = memo(({ blocks, prefix }: { blocks: ReplyGroup; prefix: string }) => {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => (part.current === null ? undefined : watchPart(part.current)), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the blocks change
  useEffect(() => {
    if (part.current !== null) invalidate(part.current)
  }, [blocks])
  return (
    <div ref={part} className={`space-y-4 ${offscreenPartStyle}`}>
      {blocks.map(({ text, isPlain }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its index while its text grows
        <Block key={index} text={text} isPlain={isPlain} prefix={prefix} />
      ))}
    </div>
  )
})

const noCitations: readonly Citation[] = []

/** Renders a reply safely: its text is never parsed as HTML and loads nothing from the network. */
export function Reply({
  text,
  citations = noCitations,
  streaming = false,
  isCut = false,
  onOpenCitation,
  atOnce = false,
}: ReplyProps) {
  const prefix = `reply${useId()}`
  const [budget] = useState(() => new FormulaBudget())
  const [growing] = useState(() => new GrowingReply())
  const { groups, hasMaths, isTruncated, isLimited } = useMemo(
    () => growing.split(text, streaming, isCut),
    [growing, text, streaming, isCut],
  )
  const shown = useShownGroups(groups, atOnce)
  useEffect(() => {
    if (hasMaths) void loadKatex()
  }, [hasMaths])
  const cited = useMemo(
    () => ({
      byNumber: new Map(citations.map((citation) => [citation.n, citation])),
      open: onOpenCitation && ((citation: Citation) => onOpenCitation(citation, citations)),
    }),
    [citations, onOpenCitation],
  )
  return (
    <CitationsContext value={cited}>
      <FormulaBudgetContext value={budget}>
        <div
          dir={detectDirection(text) ?? 'ltr'}
          // A translation replaces the nodes of the text, which then no longer grows.
          translate={streaming ? 'no' : undefined}
          className="flex min-w-0 flex-col gap-4 text-base break-words text-ink"
        >
          {shown.map((blocks, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a group keeps its index while the reply grows
            <Blocks key={index} blocks={blocks} prefix={prefix} />
          ))}
          {(isTruncated || isLimited) && (
            <p dir="ltr" className="text-sm text-muted">
              {isTruncated
                ? 'This message is too long to be shown in full.'
                : 'Part of this message is shown without formatting, because it would slow down this page.'}
            </p>
          )}
          {!streaming && citations.length > 0 && <Sources citations={citations} />}
        </div>
      </FormulaBudgetContext>
    </CitationsContext>
  )
}
