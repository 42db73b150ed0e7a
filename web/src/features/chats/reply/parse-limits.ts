import type { Span } from './spans.ts'

// The Markdown parser needs quadratic time for the marks of one paragraph: about 60 ms for this many.
const maxMarks = 1_000

const mark = /[*_~]+|`+|[[\]|<]/g
const paragraphStart = /^[ \t]*(?:$|[|>#]|[-*+][ \t]|\d{1,9}[.)][ \t])/
const deepNesting = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){50}|^[ \t]{120,}(?:[-*+]|\d{1,9}[.)])[ \t]/

/** Whether a line is nested too deeply. It becomes a block of its own, so that its neighbors are still formatted. */
export function isTooDeep(line: string): boolean {
  return deepNesting.test(line)
}

/** Whether parsing a block would take too long. Such a block is shown as plain text. */
export function isTooExpensive(text: string, spans: readonly Span[]): boolean {
  let count = 0
  for (const line of withoutFences(text, spans).split('\n')) {
    if (isTooDeep(line)) return true
    if (paragraphStart.test(line)) count = 0
    count += line.match(mark)?.length ?? 0
    if (count > maxMarks) return true
  }
  return false
}

function withoutFences(text: string, spans: readonly Span[]): string {
  let rest = ''
  let at = 0
  for (const span of spans) {
    if (span.kind !== 'fence') continue
    rest += text.slice(at, span.start)
    at = span.end
  }
  return rest + text.slice(at)
}
