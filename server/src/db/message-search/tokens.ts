import { limitMarks } from '@lyceum/contract/invisible-text'
import { toPlainReply } from '@lyceum/contract/plain-text'

/** Prefixes tokens at the start of a word. */
const wordStart = '\ue100'
/** Prefixes ids of users and channels, which are indexed beside the words. */
const scope = '\ue101'

/** Chinese, Japanese and Korean are indexed by pairs of characters, as most of their words have two. */
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]/u
const space = /\s/u
const letter = /[\p{L}\p{N}\p{M}]/u

type Kind = 'space' | 'cjk' | 'letter' | 'symbol'
const kinds = new Map<string, Kind>()
function getKind(character: string | undefined): Kind {
  if (character === undefined) return 'space'
  const known = kinds.get(character)
  if (known) return known
  const kind = space.test(character)
    ? 'space'
    : cjk.test(character)
      ? 'cjk'
      : letter.test(character)
        ? 'letter'
        : 'symbol'
  // Enough for any real text. The limit keeps a text with all of Unicode from filling the memory.
  if (kinds.size < 20_000) kinds.set(character, kind)
  return kind
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isAscii = /^[\u0000-\u007f]*$/

/** Normalizes text for comparison: ignores case, width, composition and the final form of sigma. */
function fold(text: string): string {
  // Most texts are ASCII, which needs no normalization.
  return isAscii.test(text)
    ? text.toLowerCase()
    : limitMarks(text.toWellFormed()).normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')
}

/** The full-text index ignores ASCII characters other than letters and digits, so they are mapped to private ones. */
function escapeMarks(text: string): string {
  return text.replace(/[^\p{L}\p{N}\u0080-\u{10ffff}]/gu, (mark) =>
    String.fromCharCode(0xe000 + mark.charCodeAt(0)),
  )
}

function splitCharacters(folded: string): string[] | string {
  return /[\ud800-\udbff]/.test(folded) ? Array.from(folded) : folded
}

/** Only a letter after a letter continues a word. */
function beginsWord(before: string | undefined, character: string | undefined): boolean {
  return !(getKind(before) === 'letter' && getKind(character) === 'letter')
}

function isInWord(character: string | undefined): boolean {
  const kind = getKind(character)
  return kind === 'letter' || kind === 'symbol'
}

/** All trigrams of each word, its first one and two characters, and single characters and pairs for CJK. */
export function tokenize(text: string): Set<string> {
  const all = splitCharacters(fold(text))
  const tokens = new Set<string>()
  for (let at = 0; at < all.length; at += 1) {
    const character = all[at] ?? ''
    const [next, afterNext] = [all[at + 1], all[at + 2]]
    const kind = getKind(character)
    if (kind === 'space') continue
    if (kind === 'cjk') {
      tokens.add(character)
      if (getKind(next) === 'cjk') tokens.add(character + next)
      continue
    }
    if (beginsWord(all[at - 1], character)) {
      tokens.add(wordStart + character)
      if (isInWord(next)) tokens.add(wordStart + character + next)
    }
    if (isInWord(next) && isInWord(afterNext)) tokens.add(`${character}${next}${afterNext}`)
  }
  return tokens
}

/** A token that all texts of one user or one channel have. */
export function scopeToken(id: string): string {
  return `${scope}${id.replaceAll('-', '')}`
}

export function encodeTokens(tokens: Iterable<string>): string {
  return [...tokens].map(escapeMarks).join(' ')
}

/** One word of a search. Short ones match the start of words only, others match anywhere. */
export interface Term {
  text: string
  isShort: boolean
}

const substringMinimum = 3

export function parseTerms(words: string): Term[] {
  const texts = fold(words.replaceAll('\0', ''))
    .split(/\s+/u)
    .filter((text) => text !== '')
  return [...new Set(texts)].map((text) => {
    const all = Array.from(text)
    return { text, isShort: all.length < substringMinimum && !all.some((one) => getKind(one) === 'cjk') }
  })
}

function getTermTokens({ text, isShort }: Term): string[] {
  return isShort ? [wordStart + text] : [...tokenize(text)].filter((token) => !token.startsWith(wordStart))
}

/** More tokens would hardly narrow the result, and each one costs a read. */
const queryTokenMaximum = 12

/** Tokens that every matching text has. Their presence does not prove a match, so the text must be checked. */
export function getQueryTokens(terms: readonly Term[]): string[] {
  const all = [...new Set(terms.flatMap(getTermTokens))]
  const step = Math.max(1, all.length / queryTokenMaximum)
  return Array.from(
    { length: Math.min(all.length, queryTokenMaximum) },
    (_, at) => all[Math.floor(at * step)] ?? '',
  )
}

function findTerm(folded: string, { text, isShort }: Term): number {
  let at = folded.indexOf(text)
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  while (isShort && at > 0) {
    const before = folded.codePointAt(at - 2)
    const previous =
      before !== undefined && before > 0xffff ? String.fromCodePoint(before) : folded.charAt(at - 1)
    if (beginsWord(previous, first)) return at
    at = folded.indexOf(text, at + 1)
  }
  return at
}

export function containsTerms(text: string, terms: readonly Term[]): boolean {
  const folded = fold(text)
  return terms.length > 0 && terms.every((term) => findTerm(folded, term) >= 0)
}

const excerptLength = 160
/** Small enough for the match to show in the two lines of a result on a phone. */
const excerptBefore = 30

/** The index of the first character that belongs to one of the terms. */
function findFirstMatch(all: readonly string[], terms: readonly Term[]): number {
  const origins: number[] = []
  let folded = ''
  for (const [at, character] of all.entries()) {
    const one = fold(character)
    for (let unit = 0; unit < one.length; unit += 1) origins.push(at)
    folded += one
  }
  const places = terms.map((term) => findTerm(folded, term)).filter((place) => place >= 0)
  return places.length === 0 ? 0 : (origins[Math.min(...places)] ?? 0)
}

/** Folding can shift positions, so the match is searched for again within this many characters on either side. */
const surroundings = 1000

/** The index of the first word after `from`; `from` itself if no word begins before the match. */
function skipToWord(all: readonly string[], from: number, match: number): number {
  if (from === 0 || all[from - 1] === ' ') return from
  const gap = all.indexOf(' ', from)
  return gap === -1 || gap >= match ? from : gap + 1
}

/** Removes Markdown from a part of a reply, unless the match is in the syntax itself. */
function toPlainPart(part: string, isCut: boolean, terms: readonly Term[]): string {
  // Only at the beginning of a line are a heading or a quotation recognized.
  const plain = toPlainReply(isCut ? part.slice(part.indexOf('\n') + 1) : part)
  return terms.some((term) => findTerm(fold(plain), term) >= 0) ? plain : part
}

/** The text around the first match, on one line. A reply is shown without its Markdown. */
export function makeExcerpt(text: string, terms: readonly Term[], isReply = false): string {
  const folded = fold(text)
  const places = terms.map((term) => findTerm(folded, term)).filter((place) => place >= 0)
  const near = places.length === 0 ? 0 : Math.min(...places)
  const begin = Math.max(0, near - surroundings)
  const cut = text.slice(begin, near + surroundings).toWellFormed()
  const shown = isReply ? toPlainPart(cut, begin > 0, terms) : cut
  const all = Array.from(shown.replace(/\s+/gu, ' ').trim())
  const first = findFirstMatch(all, terms)
  const from = skipToWord(all, Math.max(0, first - excerptBefore), first)
  const to = Math.min(all.length, from + excerptLength)
  const isCutBefore = begin > 0 || from > 0
  const isCutAfter = to < all.length || near + surroundings < text.length
  return `${isCutBefore ? '…' : ''}${all.slice(from, to).join('').trim()}${isCutAfter ? '…' : ''}`
}
