/** A range of a text, end exclusive. */
export interface Span {
  start: number
  end: number
}

const sentenceEnding = /[.!?…]+["'”’»)\]*_]*|[。！？]+["'”’」』）]*|\n+/g
/** An abbreviation, an initial or the number of a list item, none of which ends a sentence. */
const abbreviation =
  /(?:^|[\s([“"'])(?:\p{L}|e\.g|i\.e|etc|approx|ca|cf|vs|nr|fig|pp?|dr|mr|mrs|ms|prof|st|bzw|z\.b|d\.h|usw)\.$|(?:^|\n)[ \t]*\d{1,3}\.$/iu
/** Citations after the full stop still belong to the sentence. */
const trailingCitations = /[ \t]*\[[\d,\s]*\]/y
const partialCitation = /^[ \t]*(?:\[[\d,\s]*)?$/

/** Returns the end of the sentence; -1 if it does not end at this match, null if more text is needed. */
function findSentenceEnd(text: string, match: RegExpExecArray, isFinal: boolean): number | -1 | null {
  let end = match.index + match[0].length
  if (match[0].startsWith('\n')) return end
  const needsNoSpace = /[。！？]/.test(match[0])
  if (end === text.length && !isFinal) return null
  const next = text[end]
  if (!needsNoSpace && next !== undefined && !/\s/.test(next) && next !== '[') return -1
  if (match[0] === '.' && abbreviation.test(text.slice(Math.max(0, match.index - 12), match.index + 1)))
    return -1
  for (trailingCitations.lastIndex = end; trailingCitations.test(text); trailingCitations.lastIndex = end)
    end = trailingCitations.lastIndex
  if (!isFinal && partialCitation.test(text.slice(end))) return null
  return end
}

/** The length of the first sentence with the whitespace after it; null until its end is known. */
export function measureFirstSentence(text: string, isFinal: boolean): number | null {
  sentenceEnding.lastIndex = text.length - text.trimStart().length
  for (let match = sentenceEnding.exec(text); match; match = sentenceEnding.exec(text)) {
    const end = findSentenceEnd(text, match, isFinal)
    if (end === null) return null
    if (end < 0) continue
    const space = /^\s+/.exec(text.slice(end))?.[0] ?? ''
    // More whitespace may arrive, which belongs to this sentence too.
    if (!isFinal && end + space.length === text.length) return null
    return end + space.length
  }
  return isFinal && text !== '' ? text.length : null
}

/** The sentences of a text, without the whitespace around them. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = []
  for (let start = 0; start < text.length; ) {
    const length = measureFirstSentence(text.slice(start), true) ?? text.length - start
    const piece = text.slice(start, start + length)
    const lead = piece.length - piece.trimStart().length
    if (piece.trim() !== '') spans.push({ start: start + lead, end: start + piece.trimEnd().length })
    start += length
  }
  return spans
}
