import { completeInline } from './complete-inline.ts'
import { type Span, scanSpans } from './spans.ts'
import { breakUnfinishedLink } from './unfinished-address.ts'

const nesting = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/
const undecided = /^(?:[-+*=_#]+|\d{1,9}[.)]?|[`~]{1,2}|[|:\- \t]+|\[[ xX]?\]?)?$/

/** Whether the last line may yet become a list item, heading, rule, fence or the second line of a table. */
function isUndecided(line: string): boolean {
  // In two steps: a single pattern would try every way to divide a run of spaces.
  return undecided.test(line.replace(nesting, '').trimEnd())
}

function isDelimiterRow(line: string): boolean {
  const cells = line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|')
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()))
}

// Each step scans the whole block. Text that needs more steps is an attack.
const maxSteps = 12

/**
 * Completes the unfinished end of a growing block for display: closes open emphasis and code, and hides what would
 * appear as raw Markdown (half a link, an unclosed formula, the first line of a table). An address that may still grow
 * is not linked yet.
 */
export function completeTail(block: string): string {
  let current = block
  for (let step = 0; step < maxSteps; step += 1) {
    const { text, closing } = completeOnce(current)
    if (text === current) return breakUnfinishedLink(current).trimEnd() + closing
    current = text
  }
  return current.trimEnd()
}

function completeOnce(text: string): { text: string; closing: string } {
  const spans = scanSpans(text)
  const last = spans.findLast((span) => span.kind !== 'unclosed')
  if (last?.kind === 'fence' && last.isOpen) return { text: completeFence(text, last.start), closing: '' }
  const lineStart = text.lastIndexOf('\n') + 1
  const line = text.slice(lineStart)
  const isInsideSpan = last !== undefined && last.end > lineStart
  if (line !== '' && !isInsideSpan && isUndecided(line))
    return { text: text.slice(0, lineStart), closing: '' }
  const table = findUndecidedTable(text)
  if (table !== null) return { text: text.slice(0, table), closing: '' }
  return completeParagraph(text, spans)
}

/** In open code, hides only the line that may close it, or the opening line until it is complete. */
function completeFence(text: string, start: number): string {
  const lineStart = text.lastIndexOf('\n') + 1
  if (lineStart <= start) return text.slice(0, start)
  return /^[ \t>]*[`~]+[ \t]*$/.test(text.slice(lineStart)) ? text.slice(0, lineStart) : text
}

/** Offset at which the last lines that may become a table begin; null if there are none. */
function findUndecidedTable(text: string): number | null {
  const lines = text.split('\n')
  const isLastLineComplete = lines.at(-1) === ''
  if (isLastLineComplete) lines.pop()
  let first = lines.length
  while (first > 0 && /^[ \t]*\|/.test(lines[first - 1] ?? '')) first -= 1
  const rows = lines.slice(first)
  if (rows.length === 0 || rows.length > 2) return null
  if (rows.length === 2 && isLastLineComplete && isDelimiterRow(rows[1] ?? '')) return null
  if (rows.length === 2 && !/^[ \t|:-]*$/.test(rows[1] ?? '')) return null
  const start = lines.slice(0, first).join('\n').length
  return first === 0 ? 0 : start + 1
}

function completeParagraph(text: string, spans: Span[]): { text: string; closing: string } {
  const start = findParagraphStart(text)
  const { masked, hideFrom, closing } = maskSpans(text, spans, start)
  if (hideFrom !== null) return { text: text.slice(0, hideFrom), closing: '' }
  const inlineStart = /^[ \t]*\|/.test(text.slice(start))
    ? Math.max(start, masked.lastIndexOf('|') + 1)
    : start
  const inline = completeInline(masked.slice(inlineStart))
  if (inline.drop) {
    const { from, to } = inline.drop
    return {
      text: text.slice(0, inlineStart + from) + text.slice(inlineStart + to, inlineStart + inline.keepTo),
      closing: '',
    }
  }
  return { text: text.slice(0, inlineStart + inline.keepTo), closing: closing + inline.closing }
}

/** Masks code and formulas with letters from `start` on, and finds what must be hidden or closed. */
function maskSpans(
  text: string,
  spans: Span[],
  start: number,
): { masked: string; hideFrom: number | null; closing: string } {
  const parts: string[] = []
  let at = 0
  function mask(from: number, to: number) {
    parts.push(text.slice(at, from), 'x'.repeat(to - from))
    at = to
  }
  for (const span of spans) {
    if (span.kind !== 'unclosed') mask(span.start, span.end)
    else if (span.start < start) {
      if (isDisplayMarker(span.marker) && text.length - span.start <= 2_000)
        return { masked: '', hideFrom: span.start, closing: '' }
    } else if (span.marker.startsWith('`')) {
      const isEmpty = text.slice(span.start + span.marker.length).trim() === ''
      if (isEmpty) return { masked: '', hideFrom: span.start, closing: '' }
      mask(span.start, text.length)
      return { masked: parts.join(''), hideFrom: null, closing: span.marker }
    } else if (canBecomeFormula(span.marker, text, span.start + span.marker.length)) {
      return { masked: '', hideFrom: span.start, closing: '' }
    }
  }
  return { masked: parts.join('') + text.slice(at), hideFrom: null, closing: '' }
}

/** Where the inline text at the end begins: after a blank line, or at the last item, heading or table row. */
function findParagraphStart(text: string): number {
  let start = text.length
  for (;;) {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1
    const line = text.slice(lineStart, start)
    if (line.trim() === '' && start < text.length) return start
    if (lineStart === 0 || /^[ \t>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|^[ \t]*\|/.test(line)) return lineStart
    start = lineStart - 1
  }
}

function isDisplayMarker(marker: string): boolean {
  return marker === '$$' || marker === '\\[' || marker === '\\begin'
}

function canBecomeFormula(marker: string, text: string, from: number): boolean {
  const length = text.length - from
  if (isDisplayMarker(marker)) return length <= 2_000
  if (marker !== '$') return length <= 400
  if (length > 300) return false
  const rest = text.slice(from)
  // A dollar amount is shown as soon as a word follows it.
  if (/^\d/.test(rest))
    return length <= 60 && (/[\\^_{}=+]/.test(rest) || !/\s[A-Za-z]{2,}|[,;.]\s/.test(rest))
  return true
}
