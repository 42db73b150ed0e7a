import type { Citation } from '@lyceum/contract/chats'
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Block } from './Block.tsx'
import { CitationsContext } from './citation.ts'
import { detectDirection } from './direction.ts'
import { FormulaBudget, FormulaBudgetContext } from './formula-budget.ts'
import { GrowingReply } from './growing-reply.ts'
import { loadKatex } from './load-katex.ts'
import { invalidate, offscreenPartStyle, watchPart } from './offscreen-parts.ts'
import { Sources } from './Sources.tsx'

interface ReplyProps {
  text: string
  citations?: readonly Citation[] | undefined
  /** The text is still growing, so its unfinished end is completed for display. */
  streaming?: boolean | undefined
  onOpenCitation?: ((citation: Citation) => void) | undefined
}

/** A group of blocks. It does not rerender while later groups grow. */
const Blocks = memo(({ blocks, prefix }: { blocks: readonly string[]; prefix: string }) => {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => (part.current === null ? undefined : watchPart(part.current)), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the blocks change
  useEffect(() => {
    if (part.current !== null) invalidate(part.current)
  }, [blocks])
  return (
    <div ref={part} className={`space-y-4 ${offscreenPartStyle}`}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its index while its text grows
        <Block key={index} text={block} prefix={prefix} />
      ))}
    </div>
  )
})

const noCitations: readonly Citation[] = []

/** Renders a reply safely: its text is never parsed as HTML and loads nothing from the network. */
export function Reply({ text, citations = noCitations, streaming = false, onOpenCitation }: ReplyProps) {
  const prefix = `reply${useId()}`
  const [budget] = useState(() => new FormulaBudget())
  const [growing] = useState(() => new GrowingReply())
  const { groups, hasMaths, isTruncated } = useMemo(
    () => growing.split(text, streaming),
    [growing, text, streaming],
  )
  useEffect(() => {
    if (hasMaths) void loadKatex()
  }, [hasMaths])
  const cited = useMemo(
    () => ({ byNumber: new Map(citations.map((citation) => [citation.n, citation])), open: onOpenCitation }),
    [citations, onOpenCitation],
  )
  return (
    <CitationsContext value={cited}>
      <FormulaBudgetContext value={budget}>
        <div
          dir={detectDirection(text) ?? 'ltr'}
          className="flex min-w-0 flex-col gap-4 text-base break-words text-ink"
        >
          {groups.map((blocks, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a group keeps its index while the reply grows
            <Blocks key={index} blocks={blocks} prefix={prefix} />
          ))}
          {isTruncated && (
            <p dir="ltr" className="text-sm text-muted">
              This message is too long to be shown in full.
            </p>
          )}
          {!streaming && citations.length > 0 && <Sources citations={citations} />}
        </div>
      </FormulaBudgetContext>
    </CitationsContext>
  )
}
