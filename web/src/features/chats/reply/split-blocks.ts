import { isTooDeep } from './parse-limits.ts'
import { scanSpans } from './spans.ts'

const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const definition = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Splits a reply at blank lines outside code, display formulas and lists, and around lines that are nested too
 * deeply.
 */
export function splitBlocks(text: string, streaming: boolean): string[] {
  return splitAt(text, findBlockStarts(text, streaming), streaming)
}

export function splitAt(text: string, starts: readonly number[], streaming: boolean): string[] {
  return starts
    .map((start, at) => {
      const next = starts[at + 1]
      // Do not trim the end of a growing text: the next characters may belong to it.
      return next === undefined && streaming ? text.slice(start) : text.slice(start, next).trimEnd()
    })
    .filter((block) => block.trim() !== '')
}

/** The offsets of a reply's blocks. */
export function findBlockStarts(text: string, streaming: boolean): number[] {
  // Link references may be defined anywhere in the reply, so it stays one block. A growing reply is still split.
  const isSingleBlock = !streaming && definition.test(text)
  const unsplittable = findUnsplittableRanges(text, streaming)
  const starts = [0]
  let isList = false
  let afterBlank = true
  let wasTooDeep = false
  let range = 0
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    while (range < unsplittable.length && (unsplittable[range]?.end ?? 0) <= at) range += 1
    const isInside = (unsplittable[range]?.start ?? Number.POSITIVE_INFINITY) < at
    const line = text.slice(at, end)
    if (!isInside) {
      if (line.trim() === '') afterBlank = true
      else {
        const isItem = listItem.test(line)
        const start = starts.at(-1) ?? 0
        const isDeep = isTooDeep(line)
        const isSeparate: boolean =
          afterBlank && !isSingleBlock && !/^[ \t]/.test(line) && !(isList && isItem)
        const isSplit: boolean = at > start && (isSeparate || isDeep !== wasTooDeep)
        if (isSplit) starts.push(at)
        wasTooDeep = isDeep
        isList = afterBlank && (isSplit || start === at) ? isItem : isList || isItem
        afterBlank = false
      }
    }
    at = end + 1
  }
  return starts
}

/** Finds the ranges that must not be split: code and display formulas. */
function findUnsplittableRanges(text: string, streaming: boolean): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = []
  for (const span of scanSpans(text)) {
    if (span.kind === 'fence' || (span.kind === 'maths' && span.isDisplay)) ranges.push(span)
    const isDisplay = span.kind === 'unclosed' && ['$$', '\\[', '\\begin'].includes(span.marker)
    // An open display formula may contain blank lines, but an unclosed one must not swallow the whole reply.
    if (streaming && isDisplay && text.length - span.start <= 2_000)
      ranges.push({ start: span.start, end: text.length })
  }
  return ranges
}
