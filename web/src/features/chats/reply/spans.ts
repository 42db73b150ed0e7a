/** Code or a formula in Markdown. */
export type Span =
  | { kind: 'fence'; start: number; end: number; isOpen: boolean }
  | { kind: 'code'; start: number; end: number }
  | { kind: 'maths'; start: number; end: number; tex: string; isDisplay: boolean }
  /** A span that starts at `start` and is not closed yet. */
  | { kind: 'unclosed'; start: number; marker: string }

const maxInlineLength = 2_000
const maxDisplayLength = 8_000
const maxCodeLength = 8_000
/** Each search for the end of an environment is bounded, but text with more open ones than this is an attack. */
const maxOpenEnvironments = 20

const containerPrefix = String.raw`[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)*`
const fenceLine = new RegExp(`${containerPrefix}(?<marker>\`{3,}|~{3,})(?<info>[^\\n]*)`, 'y')
const anyFence = new RegExp(`^${containerPrefix}(?:\`{3,}|~{3,})`, 'gm')
const special = /[`$\\\n]/g
const environment =
  /\\begin\{((?:equation|align|alignat|aligned|gather|gathered|multline|split|cases|array|[pbBvV]?matrix|smallmatrix)\*?)\}/y

/** The start of `\begin{…}`, which the next few characters may complete. */
const partialBegin = /^\\(?:b(?:e(?:g(?:i(?:n(?:\{[A-Za-z]*\*?)?)?)?)?)?)?$/

class Scanner {
  readonly text: string
  readonly found: Span[] = []
  #paragraphEnd = -1
  #nextFenceStart = -1
  /** Environments that are not closed. */
  #openEnvironments = 0
  /** Offset up to which each closing marker has been searched for without a result. */
  #searched = new Map<string, number>()

  constructor(text: string) {
    this.text = text
  }

  scan(): Span[] {
    let at = this.#scanFence(0) ?? 0
    while (at < this.text.length) {
      special.lastIndex = at
      const hit = special.exec(this.text)
      if (!hit) break
      at = this.#scanSpecial(hit.index)
    }
    return this.found
  }

  #scanSpecial(at: number): number {
    switch (this.text[at]) {
      case '\n':
        return this.#scanFence(at + 1) ?? at + 1
      case '`':
        return this.#scanCode(at)
      case '$':
        return this.text[at + 1] === '$' ? this.#scanDoubleDollar(at) : this.#scanDollar(at)
      default:
        return this.#scanBackslash(at)
    }
  }

  #scanFence(start: number): number | null {
    fenceLine.lastIndex = start
    const match = fenceLine.exec(this.text)
    const marker = match?.groups?.['marker']
    if (!match || !marker || (marker.startsWith('`') && match.groups?.['info']?.includes('`'))) return null
    const isQuoted = match[0].slice(0, match[0].indexOf(marker)).includes('>')
    const closing = new RegExp(`^[ \\t>]*\\${marker[0]}{${marker.length},}[ \\t]*$`)
    let at = start + match[0].length
    while (at < this.text.length) {
      const lineEnd = this.#findLineEnd(at + 1)
      const line = this.text.slice(at + 1, lineEnd)
      // A fence in a block quote ends with the quote.
      const isOutsideQuote = isQuoted && !/^[ \t]*>/.test(line)
      if (isOutsideQuote || closing.test(line)) {
        const end = isOutsideQuote ? at : lineEnd
        this.found.push({ kind: 'fence', start, end, isOpen: false })
        return end
      }
      at = lineEnd
    }
    this.found.push({ kind: 'fence', start, end: this.text.length, isOpen: true })
    return this.text.length
  }

  #findLineEnd(at: number): number {
    const end = this.text.indexOf('\n', at)
    return end < 0 ? this.text.length : end
  }

  /** The end of the paragraph around `at`, which inline formulas and code cannot cross. */
  #findParagraphEnd(at: number): number {
    if (at >= this.#paragraphEnd) {
      const blank = /\n[ \t>]*(?=\n)/g
      blank.lastIndex = at
      this.#paragraphEnd = Math.min(blank.exec(this.text)?.index ?? this.text.length, this.#findNextFence(at))
    }
    return this.#paragraphEnd
  }

  #findNextFence(at: number): number {
    if (at >= this.#nextFenceStart) {
      anyFence.lastIndex = at
      this.#nextFenceStart = anyFence.exec(this.text)?.index ?? this.text.length
    }
    // A fence line that was already skipped as plain text must not stop the scan.
    return Math.max(this.#nextFenceStart, at + 1)
  }

  #scanCode(start: number): number {
    const run = /`+/y
    run.lastIndex = start
    const marker = run.exec(this.text)?.[0] ?? '`'
    const limit = Math.min(this.#findParagraphEnd(start), start + maxCodeLength)
    const contentStart = start + marker.length
    const end = this.#find(/`+/g, marker, contentStart, limit)
    if (end >= 0) this.found.push({ kind: 'code', start, end: end + marker.length })
    else this.found.push({ kind: 'unclosed', start, marker })
    return end < 0 ? contentStart : end + marker.length
  }

  #scanDollar(start: number): number {
    const before = this.text[start - 1] ?? ' '
    const after = this.text[start + 1] ?? ''
    if (/[A-Za-z0-9]/.test(before) || after === '' || /\s/.test(after)) {
      if (after === '') this.found.push({ kind: 'unclosed', start, marker: '$' })
      return start + 1
    }
    const limit = Math.min(this.#findParagraphEnd(start), start + maxInlineLength + 2)
    const end = this.#find(/\\[\s\S]|\$/g, '$', start + 1, limit)
    if (end < 0) {
      this.found.push({ kind: 'unclosed', start, marker: '$' })
      return start + 1
    }
    const tex = this.text.slice(start + 1, end)
    if (!isFormula(tex, this.text[end + 1] ?? '')) return start + 1
    return this.#addFormula(start, end + 1, tex, false)
  }

  #scanDoubleDollar(start: number): number {
    const end = this.#find(/\\[\s\S]|\$\$/g, '$$', start + 2, this.#findDisplayLimit(start))
    const tex = this.text.slice(start + 2, end)
    if (end >= 0 && tex.trim() !== '') return this.#addFormula(start, end + 2, tex, true)
    if (end < 0) this.found.push({ kind: 'unclosed', start, marker: '$$' })
    return end < 0 ? start + 2 : end + 2
  }

  #scanBackslash(start: number): number {
    const next = this.text[start + 1]
    if (next === '(')
      return this.#scanBracket(start, '\\)', Math.min(this.#findParagraphEnd(start), start + maxInlineLength))
    if (next === '[') return this.#scanBracket(start, '\\]', this.#findDisplayLimit(start))
    environment.lastIndex = start
    const name = environment.exec(this.text)?.[1]
    if (name) return this.#scanEnvironment(start, name)
    if (start + 24 > this.text.length && partialBegin.test(this.text.slice(start)))
      this.found.push({ kind: 'unclosed', start, marker: '\\' })
    return start + 2
  }

  #scanBracket(start: number, closing: string, limit: number): number {
    const end = this.#find(/\\[\s\S]/g, closing, start + 2, limit)
    const tex = this.text.slice(start + 2, end)
    // `\[1\]` is a citation that a model escaped, not a formula.
    if (end >= 0 && closing === '\\]' && /^\d{1,3}$/.test(tex)) return end + 2
    if (end >= 0) return this.#addFormula(start, end + 2, tex, closing === '\\]')
    this.found.push({ kind: 'unclosed', start, marker: this.text.slice(start, start + 2) })
    return start + 2
  }

  #scanEnvironment(start: number, name: string): number {
    if (this.#openEnvironments === maxOpenEnvironments) return start + 6
    const limit = this.#findDisplayLimit(start)
    const ends = new RegExp(`\\\\(begin|end)\\{${name.replace('*', '\\*')}\\}`, 'g')
    ends.lastIndex = start
    let depth = 0
    for (let match = ends.exec(this.text); match && match.index < limit; match = ends.exec(this.text)) {
      depth += match[1] === 'begin' ? 1 : -1
      if (depth === 0)
        return this.#addFormula(start, ends.lastIndex, this.text.slice(start, ends.lastIndex), true)
    }
    this.#openEnvironments += 1
    this.found.push({ kind: 'unclosed', start, marker: '\\begin' })
    return start + 6
  }

  #findDisplayLimit(start: number): number {
    return Math.min(start + maxDisplayLength, this.#findNextFence(start))
  }

  #find(pattern: RegExp, wanted: string, from: number, limit: number): number {
    // An earlier search already failed in this range.
    pattern.lastIndex = Math.max(from, this.#searched.get(wanted) ?? 0)
    let seen = pattern.lastIndex
    for (let match = pattern.exec(this.text); match && match.index < limit; match = pattern.exec(this.text)) {
      if (match[0] === wanted) return match.index
      seen = pattern.lastIndex
    }
    this.#searched.set(wanted, seen)
    return -1
  }

  #addFormula(start: number, end: number, source: string, isDisplay: boolean): number {
    // A backtick means that the search ran into code.
    if (source.includes('`')) return start + 2
    const tex = (
      source.includes('\n') && this.#isQuoted(start) ? source.replace(/\n[ \t]*>[ \t]?/g, '\n') : source
    ).trim()
    this.found.push({ kind: 'maths', start, end, tex, isDisplay })
    return end
  }

  #isQuoted(at: number): boolean {
    const lineStart = this.text.lastIndexOf('\n', at) + 1
    return /^[ \t]*>/.test(this.text.slice(lineStart, at))
  }
}

/**
 * Whether the text between two single dollar signs is a formula rather than a price: no space at its ends, no digit
 * after it, and no words after a leading number.
 */
function isFormula(tex: string, after: string): boolean {
  if (tex === '' || /\s$/.test(tex) || /\d/.test(after)) return false
  return !(/^\d/.test(tex) && /\s[A-Za-z]{2,}|[,;]\s/.test(tex) && !/[\\^_{}=+]/.test(tex))
}

/** Finds code and formulas in Markdown. Every search is bounded, so the scan is linear even for hostile text. */
export function scanSpans(text: string): Span[] {
  return new Scanner(text).scan()
}

/** Whether the text contains formulas, so that the renderer must be loaded. */
export function containsMaths(text: string): boolean {
  return /\$|\\\(|\\\[|\\begin\{|```\s*math/.test(text)
}
