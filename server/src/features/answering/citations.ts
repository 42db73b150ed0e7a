import type { Evidence } from './evidence.ts'
import { splitSentences } from './sentences.ts'

/** A part of a model's text whose citations have been checked. */
export type CheckedPart = { type: 'text'; text: string } | { type: 'cite'; n: number; sentence: string }

/** A sentence with the sources that support it by their words. */
export interface Claim {
  sentence: string
  numbers: readonly number[]
  /** The text before it, which says what words such as "it" refer to. */
  before: string
}

/** The next piece of an answer whose words have been checked. */
export interface CheckedPiece {
  /** What a second check can decide about; null for text that is shown anyway. */
  claim: Claim | null
  /** What to show. Pieces are released once and in order, those without a second check as confirmed. */
  release(isConfirmed: boolean): CheckedPart[]
}

/** In characters. */
const maxContextBefore = 300

/** The end of the text before a claim, which is the end of `text`. */
export function findContext(text: string, claim: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf(claim))).slice(-maxContextBefore)
}

type ParsedPart = (
  | { type: 'text'; text: string }
  | { type: 'citations'; space: string; numbers: number[] }
) & {
  /** Set for parts of the earlier text. */
  isOld?: true
}

// Everything that is held back or searched has a maximum length, because each piece of text that arrives searches it
// again: without one, a long run of spaces, backticks or brackets would take minutes.
const maxBlanks = 16
const maxCodeLength = 4000
/** A longer run of backticks is read as several. */
const backticks = /`{1,100}/y
/** At most 16 brackets of at most 24 characters. The next ones are another citation of the same claim. */
const citationPattern =
  /[ \t]{0,16}\[(?=[\d,\s]{1,24}\])\d{1,3}(?:\s*,\s*\d{1,3})*\](?:[ \t]?\[(?=[\d,\s]{1,24}\])\d{1,3}(?:\s*,\s*\d{1,3})*\]){0,15}/y
/** Text that may still become a citation when more arrives. */
const partialCitation = /^[ \t]*(?:\[[\d,\s]{0,24})?$/
const partialNextCitation = /^[ \t]?(?:\[[\d,\s]{0,24})?$/
const blanks = /[ \t]+/y

/**
 * Finds `[n]`, `[n, m]` and `[n][m]` in streamed text, except in code. Text that may be the beginning of a
 * citation is held back. A backtick opens code only if its line also closes it, so that a single backtick
 * used as a quotation mark cannot hide citations from the check. When continuing an earlier text, pass it as
 * `before`: its open code blocks carry over, and its parts are emitted with `isOld`.
 */
export function createCitationParser(before = '') {
  let buffer = before
  /** How many characters of `buffer` belong to `before`. */
  let oldLength = before.length
  /** The number of backticks that opened the current code block; 0 outside code. */
  let codeFence = 0

  /**
   * Returns the end of inline code opened by one or two backticks, or the end of the backticks if their line does not
   * close it soon; null if more text is needed.
   */
  function findCodeEnd(text: string, at: number, run: string, isFinal: boolean): number | null {
    const from = at + run.length
    const following = text.slice(from, from + maxCodeLength)
    const [line = ''] = following.split('\n', 1)
    const isWholeLine = line.length < following.length || (isFinal && from + line.length === text.length)
    for (const { 0: found, index } of line.matchAll(/`+/g)) {
      const isWholeRun = isWholeLine || index + found.length < line.length
      if (found.length === run.length && isWholeRun) return from + index + found.length
    }
    return isWholeLine || line.length === maxCodeLength ? from : null
  }

  /** Returns the position after the backticks or the inline code; null if more text is needed. */
  function skipBackticks(text: string, at: number, isFinal: boolean): number | null {
    backticks.lastIndex = at
    const run = backticks.exec(text)?.[0] ?? '`'
    if (at + run.length === text.length && run.length < 100 && !isFinal) return null
    if (codeFence === 0 && run.length < 3) return findCodeEnd(text, at, run, isFinal)
    if (codeFence === 0) codeFence = run.length
    else if (run.length >= 3) codeFence = 0
    return at + run.length
  }

  function parseBuffer(isFinal: boolean): ParsedPart[] {
    const parts: ParsedPart[] = []
    const text = buffer
    let from = 0
    let at = 0
    function addPart(start: number, end: number, make: (piece: string) => ParsedPart): void {
      const cut = Math.min(Math.max(start, oldLength), end)
      if (cut > start) parts.push({ ...make(text.slice(start, cut)), isOld: true })
      if (end > cut) parts.push(make(text.slice(cut, end)))
    }
    function flush(until: number): void {
      addPart(from, until, (piece) => ({ type: 'text', text: piece }))
    }
    while (at < text.length) {
      const special = /[`[ \t]/g
      special.lastIndex = at
      at = special.exec(text)?.index ?? text.length
      const char = text[at]
      if (char === '`') {
        const next = skipBackticks(text, at, isFinal)
        if (next === null) break
        at = next
      } else if (char !== undefined && codeFence === 0) {
        blanks.lastIndex = at
        const blanksEnd = at + (blanks.exec(text)?.[0].length ?? 0)
        at = Math.max(at, blanksEnd - maxBlanks)
        citationPattern.lastIndex = at
        const found = citationPattern.exec(text)?.[0]
        const end = at + (found?.length ?? 0)
        const partial = found ? partialNextCitation : partialCitation
        if (!isFinal && partial.test(text.slice(end))) break
        if (found) {
          flush(at)
          addPart(at, end, (piece) => ({
            type: 'citations',
            space: /^[ \t]*/.exec(piece)?.[0] ?? '',
            numbers: (piece.match(/\d+/g) ?? []).map(Number),
          }))
          from = end
        }
        at = found ? end : Math.max(at + 1, blanksEnd)
      } else if (char !== undefined) at += 1
    }
    flush(at)
    buffer = text.slice(Math.max(at, from))
    oldLength = Math.max(0, oldLength - Math.max(at, from))
    return parts
  }

  return {
    push(text: string): ParsedPart[] {
      buffer += text
      return parseBuffer(false)
    },
    end: (): ParsedPart[] => parseBuffer(true),
  }
}

/** In characters. Limits the work per citation in very long lines. */
const maxLineContext = 4000

/**
 * Passes a model's text on as it arrives and keeps only citations whose passage supports the sentence before
 * them. The others are removed and counted. The text in `before` provides context and is not emitted again.
 */
export function createCitationFilter(evidence: Evidence, before = '') {
  const parser = createCitationParser(before)
  /** The current line after its last citation. */
  let textSinceCitation = ''
  /** The claim before that citation. The next citation refers to it too if there is no text in between. */
  let lastClaim = ''
  /** The end of the text so far, as the model wrote it. */
  let recentText = ''
  /** The results for a claim that is cited again and again: checking a long one takes milliseconds. */
  let checked = { claim: '', kept: new Map<string, number[]>() }
  let removed = 0

  function findCurrentClaim(): string {
    const span = splitSentences(textSinceCitation).at(-1)
    const claim = span ? textSinceCitation.slice(span.start, span.end) : ''
    return /\p{L}/u.test(claim) ? claim : lastClaim
  }

  function findSupporting(numbers: readonly number[]): number[] {
    lastClaim = findCurrentClaim()
    textSinceCitation = ''
    if (checked.claim !== lastClaim) checked = { claim: lastClaim, kept: new Map() }
    const key = numbers.join()
    const kept = checked.kept.get(key) ?? evidence.findSupporting(lastClaim, numbers)
    checked.kept.set(key, kept)
    return kept
  }

  function checkParts(parts: readonly ParsedPart[]): CheckedPiece[] {
    return parts.flatMap((part): CheckedPiece[] => {
      if (part.type === 'text') {
        recentText = (recentText + part.text).slice(-maxLineContext)
        const newline = part.text.lastIndexOf('\n')
        if (newline >= 0) lastClaim = ''
        textSinceCitation = (
          newline >= 0 ? part.text.slice(newline + 1) : textSinceCitation + part.text
        ).slice(-maxLineContext)
        return part.isOld ? [] : [{ claim: null, release: () => [part] }]
      }
      const kept = findSupporting(part.numbers)
      if (part.isOld) return []
      removed += new Set(part.numbers).size - kept.length
      if (kept.length === 0) return []
      const sentence = lastClaim
      const cites = kept.map((n): CheckedPart => ({ type: 'cite', n, sentence }))
      return [
        {
          claim: { sentence, numbers: kept, before: findContext(recentText, sentence) },
          release(isConfirmed) {
            if (!isConfirmed) {
              removed += cites.length
              return []
            }
            return part.space === '' ? cites : [{ type: 'text', text: part.space }, ...cites]
          },
        },
      ]
    })
  }

  return {
    push: (text: string): CheckedPiece[] => checkParts(parser.push(text)),
    end: (): CheckedPiece[] => checkParts(parser.end()),
    countRemoved: (): number => removed,
  }
}
