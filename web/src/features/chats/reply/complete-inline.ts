interface CompletedInline {
  /** The text from here on is hidden. */
  keepTo: number
  /** The marks that close open emphasis. */
  closing: string
  /** A range to hide as well: the bracket before the text of an unfinished link. */
  drop?: { from: number; to: number }
}

const tokens = /\\[\s\S]?|!?\[|\]|[*_~]+|&[#\w]{0,31}$|<\/?[A-Za-z][^\s<>]{0,200}$|<$/g
const maxLinkTextLength = 120
/** No real address is longer. Bounds the search for its end. */
const maxAddressLength = 2_000

interface Emphasis {
  mark: string
  count: number
}

/** Scans the unfinished last paragraph, in which code and formulas are already masked. */
export function completeInline(text: string): CompletedInline {
  const brackets: { start: number; textStart: number }[] = []
  const emphasis: Emphasis[] = []
  tokens.lastIndex = 0
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match
    const start = match.index
    const end = start + token.length
    if (token === '\\' || token.startsWith('&') || token.startsWith('<')) return hideFrom(start)
    if (token.startsWith('\\')) continue
    if (token.endsWith('[')) brackets.push({ start, textStart: end })
    else if (token === ']') {
      const opening = brackets.pop()
      const result = opening ? scanAfterBracket(text, opening, start) : null
      if (typeof result === 'number') tokens.lastIndex = result
      else if (result) return result
    } else {
      const cut = applyEmphasis(emphasis, text, start, end)
      if (cut !== null) return hideFrom(cut)
    }
  }
  const opening = brackets.at(0)
  if (opening && text.length - opening.start <= maxLinkTextLength) return hideFrom(opening.start)
  const closing = emphasis.map(({ mark, count }) => mark.repeat(count)).toReversed()
  return { keepTo: text.length, closing: closing.join('') }
}

function hideFrom(keepTo: number): CompletedInline {
  return { keepTo, closing: '' }
}

/**
 * Examines what follows `[text]`. Returns the offset at which to continue, how to show a link with an unfinished
 * address, or null if it is not a link.
 */
function scanAfterBracket(
  text: string,
  opening: { start: number; textStart: number },
  at: number,
): number | CompletedInline | null {
  const label = text.slice(opening.textStart, at)
  const next = text[at + 1]
  // `[3]` is a citation and may be shown; any other bracket may turn out to be a link.
  if (next === undefined) return /^\d{1,3}$/.test(label) ? null : hideFrom(opening.start)
  if (next !== '(') return null
  let depth = 0
  const limit = Math.min(text.length, at + maxAddressLength)
  for (let index = at + 1; index < limit && text[index] !== '\n'; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === '(') depth += 1
    else if (text[index] === ')') depth -= 1
    if (depth === 0) return index + 1
  }
  if (limit < text.length || text.indexOf('\n', at) >= 0) return null
  return { keepTo: at, closing: '', drop: { from: opening.start, to: opening.textStart } }
}

/** Handles a run of `*`, `_` or `~`. Returns where to cut if the run itself is unfinished. */
function applyEmphasis(open: Emphasis[], text: string, start: number, end: number): number | null {
  const mark = text[start] ?? ''
  const before = text[start - 1] ?? ' '
  const after = text[end] ?? ''
  const isAtEnd = after === ''
  let remaining = end - start
  if (mark === '~' && remaining === 1 && !isAtEnd) return null
  if (!/\s/.test(before) && !(mark === '_' && /\w/.test(after))) {
    while (remaining > 0 && open.at(-1)?.mark === mark) {
      const top = open.at(-1)
      if (!top) break
      const taken = Math.min(top.count, remaining)
      // This may be the first half of a closing pair.
      if (isAtEnd && taken < top.count) return start
      remaining -= taken
      top.count -= taken
      if (top.count === 0) open.pop()
    }
  }
  if (remaining === 0) return null
  if (isAtEnd) return end - remaining
  const isInWord = /\w/.test(before) && /\w/.test(after)
  const canOpen = !/\s/.test(after) && !(isInWord && (mark === '_' || remaining === 1))
  if (canOpen) open.push({ mark, count: remaining })
  return null
}
