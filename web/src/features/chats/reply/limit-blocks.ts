import { parseFence } from './parse-fence.ts'
import { maxBlockCost, maxReplyCost, measureCode, measureMarkdown } from './parse-limits.ts'

export interface ReplyBlock {
  text: string
  /** The block is too expensive to be formatted. */
  isPlain: boolean
  /** Units of parse-limits.ts. */
  cost: number
}

/** Plain text is cut into pieces, so that only the last one renders again while it grows. */
const pieceLength = 4_000

function findPieceEnd(text: string, start: number): number {
  const end = start + pieceLength
  if (end >= text.length) return text.length
  const newline = text.lastIndexOf('\n', end)
  if (newline > start) return newline + 1
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end
}

function splitPlain(text: string): ReplyBlock[] {
  const blocks: ReplyBlock[] = []
  for (let at = 0; at < text.length; ) {
    const end = findPieceEnd(text, at)
    const piece = text.slice(at, end)
    const { cost } = measureCode(piece, Number.POSITIVE_INFINITY)
    if (piece.trim() !== '') blocks.push({ text: piece, isPlain: true, cost })
    at = end
  }
  return blocks
}

/** The cost of the blocks that count towards the limit of the reply. */
export function sumFormatted(blocks: readonly ReplyBlock[]): number {
  return blocks.reduce((sum, { isPlain, cost }) => (isPlain ? sum : sum + cost), 0)
}

/**
 * Decides which blocks are formatted after `spent` units. What exceeds a limit follows as plain text: the rest of a
 * block that is too expensive, and everything after the limit of the reply. Each decision depends only on the text
 * before it, so that it does not change while the reply grows.
 */
export function limitBlocks(texts: readonly string[], spent: number): ReplyBlock[] {
  let left = maxReplyCost - spent
  return texts.flatMap((text) => {
    if (left <= 0) return splitPlain(text)
    const measure = parseFence(text) === null ? measureMarkdown : measureCode
    const { length, cost } = measure(text, Math.min(left, maxBlockCost))
    left -= cost
    const formatted = length === 0 ? [] : [{ text: text.slice(0, length), isPlain: false, cost }]
    return [...formatted, ...splitPlain(text.slice(length))]
  })
}
