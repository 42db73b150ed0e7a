import { isTooDeep, maxBlockCost, measureMarkdown } from './parse-limits.ts'
import { scanSpans } from './spans.ts'

const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const definition = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Splits a reply at blank lines outside code, display formulas and lists, around code that is not indented, and around
 * lines that are nested too deeply.
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
  const isSingleBlock = !streaming && definition.test(text) && isAffordable(text)
  const unsplittable = findUnsplittableRanges(text, streaming)
  const starts = [0]
  let isList = false
  let afterBlank = true
  let wasTooDeep = false
  let range = 0
  let afterCode = false
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    for (let passed = unsplittable[range]; passed && passed.end <= at; passed = unsplittable[range]) {
      afterCode ||= passed.isCode
      range += 1
    }
    const current = unsplittable[range]
    const isInside = current !== undefined && current.start < at
    const isCode = current?.isCode === true && current.start === at
    const line = text.slice(at, end)
    if (!isInside) {
      if (line.trim() === '') afterBlank = true
      else {
        const isItem = listItem.test(line)
        const start = starts.at(-1) ?? 0
        const isDeep = isTooDeep(line)
        const isSeparate: boolean =
          afterBlank && !isSingleBlock && !/^[ \t]/.test(line) && !(isList && isItem)
        const isForced: boolean = !isSingleBlock && (isCode || afterCode)
        const isSplit: boolean = at > start && (isSeparate || isForced || isDeep !== wasTooDeep)
        if (isSplit) starts.push(at)
        wasTooDeep = isDeep
        isList = (afterBlank || isForced) && (isSplit || start === at) ? isItem : isList || isItem
        afterBlank = false
        afterCode = false
      }
    }
    at = end + 1
  }
  return starts
}

function isAffordable(text: string): boolean {
  return measureMarkdown(text, maxBlockCost).length === text.length
}

interface Range {
  start: number
  end: number
  /** Code that is not indented. It is never part of a list or quotation. */
  isCode: boolean
}

/** Finds the ranges that must not be split: code and display formulas. */
function findUnsplittableRanges(text: string, streaming: boolean): Range[] {
  const ranges: Range[] = []
  for (const span of scanSpans(text)) {
    if (span.kind === 'fence') ranges.push({ ...span, isCode: /[`~]/.test(text[span.start] ?? '') })
    if (span.kind === 'maths' && span.isDisplay) ranges.push({ ...span, isCode: false })
    const isDisplay = span.kind === 'unclosed' && ['$$', '\\[', '\\begin'].includes(span.marker)
    // An open display formula may contain blank lines, but an unclosed one must not swallow the whole reply.
    if (streaming && isDisplay && text.length - span.start <= 2_000)
      ranges.push({ start: span.start, end: text.length, isCode: false })
  }
  return ranges
}
