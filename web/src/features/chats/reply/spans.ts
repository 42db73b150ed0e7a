/**
 * Finds code and formulas in Markdown. Every search is bounded, which keeps the scan linear even for hostile text.
 */
export type Span =
  | { kind: 'fence'; start: number; end: number; isOpen: boolean }
  | { kind: 'code'; start: number; end: number }
  | { kind: 'maths'; start: number; end: number; tex: string; isDisplay: boolean }
  /** A span that starts at `start` and is not closed yet. */
  | { kind: 'unclosed'; start: number; marker: string }

const inlineReach = 2_000
const displayReach = 8_000

const container = String.raw`[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)*`
const fenceLine = new RegExp(`${container}(?<marker>\`{3,}|~{3,})(?<info>[^\\n]*)`, 'y')
const anyFence = new RegExp(`^${container}(?:\`{3,}|~{3,})`, 'gm')
const special = /[`$\\\n]/g
const environment =
  /\\begin\{((?:equation|align|alignat|aligned|gather|gathered|multline|split|cases|array|[pbBvV]?matrix|smallmatrix)\*?)\}/y

/** The start of `\begin{…}`, which the next few characters may complete. */
const beginning = /^\\(?:b(?:e(?:g(?:i(?:n(?:\{[A-Za-z]*\*?)?)?)?)?)?)?$/

class Scanner {
  readonly text: string
  readonly found: Span[] = []
  #paragraphEnd = -1
  #nextFence = -1
  /** Lengths of the backtick runs that have no counterpart in this paragraph. */
  #loneRuns = new Set<number>()
  /** Offset up to which each closing marker has been searched for without a result. */
  #searched = new Map<string, number>()

  constructor(text: string) {
    this.text = text
  }

  scan(): Span[] {
    let at = this.#fenceAt(0) ?? 0
    while (at < this.text.length) {
      special.lastIndex = at
      const hit = special.exec(this.text)
      if (!hit) break
      at = this.#step(hit.index)
    }
    return this.found
  }

  #step(at: number): number {
    switch (this.text[at]) {
      case '\n':
        return this.#fenceAt(at + 1) ?? at + 1
      case '`':
        return this.#code(at)
      case '$':
        return this.text[at + 1] === '$' ? this.#dollars(at) : this.#dollar(at)
      default:
        return this.#backslash(at)
    }
  }

  #fenceAt(start: number): number | null {
    fenceLine.lastIndex = start
    const match = fenceLine.exec(this.text)
    const marker = match?.groups?.['marker']
    if (!match || !marker || (marker.startsWith('`') && match.groups?.['info']?.includes('`'))) return null
    const isQuoted = match[0].slice(0, match[0].indexOf(marker)).includes('>')
    const closing = new RegExp(`^[ \\t>]*\\${marker[0]}{${marker.length},}[ \\t]*$`)
    let at = start + match[0].length
    while (at < this.text.length) {
      const lineEnd = this.#lineEnd(at + 1)
      const line = this.text.slice(at + 1, lineEnd)
      // A fence in a block quote ends with the quote.
      const isLeft = isQuoted && !/^[ \t]*>/.test(line)
      if (isLeft || closing.test(line)) {
        const end = isLeft ? at : lineEnd
        this.found.push({ kind: 'fence', start, end, isOpen: false })
        return end
      }
      at = lineEnd
    }
    this.found.push({ kind: 'fence', start, end: this.text.length, isOpen: true })
    return this.text.length
  }

  #lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at)
    return end < 0 ? this.text.length : end
  }

  /** The end of the paragraph around `at`, which inline formulas and code cannot cross. */
  #paragraph(at: number): number {
    if (at >= this.#paragraphEnd) {
      const blank = /\n[ \t>]*(?=\n)/g
      blank.lastIndex = at
      this.#paragraphEnd = Math.min(blank.exec(this.text)?.index ?? this.text.length, this.#fence(at))
      this.#loneRuns.clear()
    }
    return this.#paragraphEnd
  }

  #fence(at: number): number {
    if (at >= this.#nextFence) {
      anyFence.lastIndex = at
      this.#nextFence = anyFence.exec(this.text)?.index ?? this.text.length
    }
    // A fence line that was already skipped as plain text must not stop the scan.
    return Math.max(this.#nextFence, at + 1)
  }

  #code(start: number): number {
    const run = /`+/y
    run.lastIndex = start
    const marker = run.exec(this.text)?.[0] ?? '`'
    const limit = this.#paragraph(start)
    const inside = start + marker.length
    const runs = /`+/g
    runs.lastIndex = inside
    if (!this.#loneRuns.has(marker.length)) {
      for (let match = runs.exec(this.text); match && match.index < limit; match = runs.exec(this.text)) {
        if (match[0].length !== marker.length) continue
        this.found.push({ kind: 'code', start, end: runs.lastIndex })
        return runs.lastIndex
      }
      this.#loneRuns.add(marker.length)
    }
    this.found.push({ kind: 'unclosed', start, marker })
    return inside
  }

  #dollar(start: number): number {
    const before = this.text[start - 1] ?? ' '
    const after = this.text[start + 1] ?? ''
    if (/[A-Za-z0-9]/.test(before) || after === '' || /\s/.test(after)) {
      if (after === '') this.found.push({ kind: 'unclosed', start, marker: '$' })
      return start + 1
    }
    const limit = Math.min(this.#paragraph(start), start + inlineReach + 2)
    const end = this.#find(/\\[\s\S]|\$/g, '$', start + 1, limit)
    if (end < 0) {
      this.found.push({ kind: 'unclosed', start, marker: '$' })
      return start + 1
    }
    const tex = this.text.slice(start + 1, end)
    if (!isFormula(tex, this.text[end + 1] ?? '')) return start + 1
    return this.#maths(start, end + 1, tex, false)
  }

  #dollars(start: number): number {
    const end = this.#find(/\\[\s\S]|\$\$/g, '$$', start + 2, this.#reach(start))
    const tex = this.text.slice(start + 2, end)
    if (end >= 0 && tex.trim() !== '') return this.#maths(start, end + 2, tex, true)
    if (end < 0) this.found.push({ kind: 'unclosed', start, marker: '$$' })
    return end < 0 ? start + 2 : end + 2
  }

  #backslash(start: number): number {
    const next = this.text[start + 1]
    if (next === '(')
      return this.#bracket(start, '\\)', Math.min(this.#paragraph(start), start + inlineReach))
    if (next === '[') return this.#bracket(start, '\\]', this.#reach(start))
    environment.lastIndex = start
    const name = environment.exec(this.text)?.[1]
    if (name) return this.#environment(start, name)
    if (start + 24 > this.text.length && beginning.test(this.text.slice(start)))
      this.found.push({ kind: 'unclosed', start, marker: '\\' })
    return start + 2
  }

  #bracket(start: number, closing: string, limit: number): number {
    const end = this.#find(/\\[\s\S]/g, closing, start + 2, limit)
    const tex = this.text.slice(start + 2, end)
    // `\[1\]` is a citation that a model escaped, not a formula.
    if (end >= 0 && closing === '\\]' && /^\d{1,3}$/.test(tex)) return end + 2
    if (end >= 0) return this.#maths(start, end + 2, tex, closing === '\\]')
    this.found.push({ kind: 'unclosed', start, marker: this.text.slice(start, start + 2) })
    return start + 2
  }

  #environment(start: number, name: string): number {
    const limit = this.#reach(start)
    const ends = new RegExp(`\\\\(begin|end)\\{${name.replace('*', '\\*')}\\}`, 'g')
    ends.lastIndex = start
    let depth = 0
    for (let match = ends.exec(this.text); match && match.index < limit; match = ends.exec(this.text)) {
      depth += match[1] === 'begin' ? 1 : -1
      if (depth === 0) return this.#maths(start, ends.lastIndex, this.text.slice(start, ends.lastIndex), true)
    }
    this.found.push({ kind: 'unclosed', start, marker: '\\begin' })
    return start + 6
  }

  #reach(start: number): number {
    return Math.min(start + displayReach, this.#fence(start))
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

  #maths(start: number, end: number, source: string, isDisplay: boolean): number {
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

export function scanSpans(text: string): Span[] {
  return new Scanner(text).scan()
}

/** Whether the text contains formulas, so that the renderer must be loaded. */
export function containsMaths(text: string): boolean {
  return /\$|\\\(|\\\[|\\begin\{|```\s*math/.test(text)
}
