import type { Citation } from '@lyceum/contract/chats'
import { useEffect, useId, useMemo, useState } from 'react'
import { Block } from './Block.tsx'
import { CitationsContext } from './citation.ts'
import { FormulaBudget, FormulaBudgetContext } from './formula-budget.ts'
import { loadKatex } from './load-katex.ts'
import { Sources } from './Sources.tsx'
import { settleTail } from './settle-tail.ts'
import { containsMaths } from './spans.ts'
import { splitBlocks } from './split-blocks.ts'
import { visibleText } from './visible-text.ts'

interface ReplyProps {
  text: string
  citations?: readonly Citation[] | undefined
  /** True while the text still grows; its unfinished end is then smoothed over. */
  streaming?: boolean | undefined
  onOpenCitation?: ((citation: Citation) => void) | undefined
}

const none: readonly Citation[] = []

/** What an assistant wrote, safely: nothing in it is ever taken for markup, and it never fetches anything. */
export const Reply = ({ text, citations = none, streaming = false, onOpenCitation }: ReplyProps) => {
  const prefix = `reply${useId()}`
  const [budget] = useState(() => new FormulaBudget())
  const { blocks, isCut } = useMemo(() => blocksOf(text, streaming), [text, streaming])
  const hasMaths = containsMaths(text)
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
        <div className="min-w-0 space-y-4 text-base break-words text-ink">
          {blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its place, and its text is what grows
            <Block key={index} text={block} prefix={prefix} />
          ))}
          {isCut && <p className="text-sm text-muted">This message is too long to be shown in full.</p>}
          {!streaming && citations.length > 0 && <Sources citations={citations} />}
        </div>
      </FormulaBudgetContext>
    </CitationsContext>
  )
}

const blocksOf = (message: string, streaming: boolean): { blocks: string[]; isCut: boolean } => {
  const { text, isCut } = visibleText(message)
  const blocks = splitBlocks(text, streaming)
  const last = blocks.pop()
  if (last === undefined) return { blocks, isCut }
  const settled = streaming ? settleTail(last) : last
  return { blocks: settled === '' ? blocks : [...blocks, settled], isCut }
}
