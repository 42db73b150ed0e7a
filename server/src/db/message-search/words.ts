/** A chat's or a person's number in the index stands beside the words; this sets it apart from them. */
const beginning = '\ue100'
const scope = '\ue101'

/** Chinese, Japanese and Korean are indexed by pairs of letters: most of their words have two. */
const paired = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]/u
const space = /\s/u
const letter = /[\p{L}\p{N}\p{M}]/u

type Kind = 'space' | 'paired' | 'letter' | 'mark'
const kinds = new Map<string, Kind>()
function kindOf(character: string | undefined): Kind {
  if (character === undefined) return 'space'
  const known = kinds.get(character)
  if (known) return known
  const kind = space.test(character)
    ? 'space'
    : paired.test(character)
      ? 'paired'
      : letter.test(character)
        ? 'letter'
        : 'mark'
  // As many as one installation meets; a text made of all of Unicode must not fill the memory.
  if (kinds.size < 20_000) kinds.set(character, kind)
  return kind
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isAscii = /^[\u0000-\u007f]*$/

/** How texts are compared: case, width and composition do not count, nor the form of a sigma. */
function fold(text: string): string {
  // Most texts need none of the finer work.
  return isAscii.test(text)
    ? text.toLowerCase()
    : text.toWellFormed().normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')
}

/** The full-text index reads letters and digits only: other ASCII characters go by stand-ins. */
function standIn(text: string): string {
  return text.replace(/[^\p{L}\p{N}\u0080-\u{10ffff}]/gu, (mark) =>
    String.fromCharCode(0xe000 + mark.charCodeAt(0)),
  )
}

function characters(folded: string): string[] | string {
  return /[\ud800-\udbff]/.test(folded) ? Array.from(folded) : folded
}

/** Letters follow each other within a word; anything else begins anew. */
function beginsWord(before: string | undefined, character: string | undefined): boolean {
  return !(kindOf(before) === 'letter' && kindOf(character) === 'letter')
}

function isOpen(character: string | undefined): boolean {
  const kind = kindOf(character)
  return kind === 'letter' || kind === 'mark'
}

/** What a text is found by: every three characters of a word, the first one and two of it, single letters and pairs. */
export function tokensOf(text: string): Set<string> {
  const all = characters(fold(text))
  const tokens = new Set<string>()
  for (let at = 0; at < all.length; at += 1) {
    const character = all[at] ?? ''
    const [next, afterNext] = [all[at + 1], all[at + 2]]
    const kind = kindOf(character)
    if (kind === 'space') continue
    if (kind === 'paired') {
      tokens.add(character)
      if (kindOf(next) === 'paired') tokens.add(character + next)
      continue
    }
    if (beginsWord(all[at - 1], character)) {
      tokens.add(beginning + character)
      if (isOpen(next)) tokens.add(beginning + character + next)
    }
    if (isOpen(next) && isOpen(afterNext)) tokens.add(`${character}${next}${afterNext}`)
  }
  return tokens
}

/** Finds all texts of one person or one channel. */
export function scopeToken(id: string): string {
  return `${scope}${id.replaceAll('-', '')}`
}

export function indexForm(tokens: Iterable<string>): string {
  return [...tokens].map(standIn).join(' ')
}

/** One word of a search. A short one is found at the beginning of words, the others anywhere. */
export interface Term {
  text: string
  isShort: boolean
}

const substringFrom = 3

export function termsOf(words: string): Term[] {
  const texts = fold(words.replaceAll('\0', ''))
    .split(/\s+/u)
    .filter((text) => text !== '')
  return [...new Set(texts)].map((text) => {
    const all = Array.from(text)
    return { text, isShort: all.length < substringFrom && !all.some((one) => kindOf(one) === 'paired') }
  })
}

function tokensOfTerm({ text, isShort }: Term): string[] {
  return isShort ? [beginning + text] : [...tokensOf(text)].filter((token) => !token.startsWith(beginning))
}

/** More than these say little more, and every one is read along with the others. */
const tokensAsked = 12

/** What a text must have for all the terms to be in it; whether they are is seen in the text itself. */
export function askedTokens(terms: readonly Term[]): string[] {
  const all = [...new Set(terms.flatMap(tokensOfTerm))]
  const step = Math.max(1, all.length / tokensAsked)
  return Array.from(
    { length: Math.min(all.length, tokensAsked) },
    (_, at) => all[Math.floor(at * step)] ?? '',
  )
}

function placeOf(folded: string, { text, isShort }: Term): number {
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

/** Whether all the terms are in a text. */
export function holds(text: string, terms: readonly Term[]): boolean {
  const folded = fold(text)
  return terms.length > 0 && terms.every((term) => placeOf(folded, term) >= 0)
}

const excerptLength = 160
const excerptBefore = 50

/** The first of these characters that belongs to one of the terms. */
function firstOf(all: readonly string[], terms: readonly Term[]): number {
  const origins: number[] = []
  let folded = ''
  for (const [at, character] of all.entries()) {
    const one = fold(character)
    for (let unit = 0; unit < one.length; unit += 1) origins.push(at)
    folded += one
  }
  const places = terms.map((term) => placeOf(folded, term)).filter((place) => place >= 0)
  return places.length === 0 ? 0 : (origins[Math.min(...places)] ?? 0)
}

/** Around where a term lies in the folded text: its place in the text itself is not far from there. */
const surroundings = 1000

/** The text around the first of the terms, on one line. */
export function excerptOf(text: string, terms: readonly Term[]): string {
  const folded = fold(text)
  const places = terms.map((term) => placeOf(folded, term)).filter((place) => place >= 0)
  const near = places.length === 0 ? 0 : Math.min(...places)
  const begin = Math.max(0, near - surroundings)
  const cut = text.slice(begin, near + surroundings).toWellFormed()
  const all = Array.from(cut.replace(/\s+/gu, ' ').trim())
  const first = firstOf(all, terms)
  const from = Math.max(0, Math.min(first - excerptBefore, all.length - excerptLength))
  const to = Math.min(all.length, from + excerptLength)
  const isCutBefore = begin > 0 || from > 0
  const isCutAfter = to < all.length || near + surroundings < text.length
  return `${isCutBefore ? '…' : ''}${all.slice(from, to).join('').trim()}${isCutAfter ? '…' : ''}`
}
