import type { Citation } from '@lyceum/contract/chats'
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Block } from './Block.tsx'
import { CitationsContext } from './citation.ts'
import { directionOf } from './direction.ts'
import { FormulaBudget, FormulaBudgetContext } from './formula-budget.ts'
import { GrowingReply } from './growing-reply.ts'
import { loadKatex } from './load-katex.ts'
import { Sources } from './Sources.tsx'
import { stillPart, stir, watchPart } from './still-parts.ts'

interface ReplyProps {
  text: string
  citations?: readonly Citation[] | undefined
  /** True while the text still grows; its unfinished end is then smoothed over. */
  streaming?: boolean | undefined
  onOpenCitation?: ((citation: Citation) => void) | undefined
}

/** So many blocks together, which are not even looked at while others grow. */
const Blocks = memo(({ blocks, prefix }: { blocks: readonly string[]; prefix: string }) => {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => (part.current === null ? undefined : watchPart(part.current)), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever they are others
  useEffect(() => {
    if (part.current !== null) stir(part.current)
  }, [blocks])
  return (
    <div ref={part} className={`space-y-4 ${stillPart}`}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its place, and its text is what grows
        <Block key={index} text={block} prefix={prefix} />
      ))}
    </div>
  )
})

const none: readonly Citation[] = []

/** What an assistant wrote, safely: nothing in it is ever taken for markup, and it never fetches anything. */
export function Reply({ text, citations = none, streaming = false, onOpenCitation }: ReplyProps) {
  const prefix = `reply${useId()}`
  const [budget] = useState(() => new FormulaBudget())
  const [growing] = useState(() => new GrowingReply())
  const { groups, hasMaths, isCut } = useMemo(() => growing.read(text, streaming), [growing, text, streaming])
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
          dir={directionOf(text) ?? 'ltr'}
          className="flex min-w-0 flex-col gap-4 text-base break-words text-ink"
        >
          {groups.map((blocks, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its place, and its text is what grows
            <Blocks key={index} blocks={blocks} prefix={prefix} />
          ))}
          {isCut && (
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
