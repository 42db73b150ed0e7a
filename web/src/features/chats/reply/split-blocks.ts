import { scanSpans } from './spans.ts'

const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const definition = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Cuts a reply at blank lines where nothing reaches across: not in code, display formulas or lists. A piece never
 * changes once another follows it, so a growing reply only parses its last piece again.
 */
export const splitBlocks = (text: string, streaming: boolean): string[] => {
  // References reach across the whole reply; while it grows their definitions have not arrived.
  if (!streaming && definition.test(text)) return [text]
  const solid = solidRanges(text, streaming)
  const blocks: string[] = []
  let start = 0
  let isList = false
  let afterBlank = true
  let range = 0
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    while (range < solid.length && (solid[range]?.end ?? 0) <= at) range += 1
    const isInside = (solid[range]?.start ?? Number.POSITIVE_INFINITY) < at
    const line = text.slice(at, end)
    if (!isInside) {
      if (line.trim() === '') afterBlank = true
      else {
        const isItem = listItem.test(line)
        if (afterBlank && at > start && !/^[ \t]/.test(line) && !(isList && isItem)) {
          blocks.push(text.slice(start, at).trimEnd())
          start = at
        }
        if (afterBlank && start === at) isList = isItem
        else isList ||= isItem
        afterBlank = false
      }
    }
    at = end + 1
  }
  const last = text.slice(start)
  if (last.trim() !== '') blocks.push(streaming ? last : last.trimEnd())
  return blocks.filter((block) => block !== '')
}

const solidRanges = (text: string, streaming: boolean): { start: number; end: number }[] => {
  const ranges: { start: number; end: number }[] = []
  for (const span of scanSpans(text)) {
    if (span.kind === 'fence' || (span.kind === 'maths' && span.isDisplay)) ranges.push(span)
    const isDisplay = span.kind === 'unclosed' && ['$$', '\\[', '\\begin'].includes(span.marker)
    // A display formula on its way may contain blank lines; a forgotten dollar must not hold the reply back.
    if (streaming && isDisplay && text.length - span.start <= 2_000)
      ranges.push({ start: span.start, end: text.length })
  }
  return ranges
}
