import { estimateTokens } from '#providers/assistant/estimate-tokens.ts'
import type { ExtractedText, TextBlock } from '#providers/text-extraction/port.ts'

/** A span of a document that is searched and cited as one unit. `text` is exactly the text between its offsets. */
export interface Passage {
  ordinal: number
  /** The page on which it begins. The last few lines of a page may be joined with the next page. */
  page: number | null
  /** Page breaks inside the passage: the offset in the document's text and the page that begins there. */
  pageBreaks: [charStart: number, page: number][]
  headingPath: string[]
  charStart: number
  charEnd: number
  text: string
  tokens: number
}

const targetTokens = 400
const maxTokens = 512
const overlapTokens = 50
/** A passage of at least this size ends at a page break, so that a citation opens the right page. */
const minTokensAtPageBreak = 200

/** The smallest part of a passage, never split further: a sentence, a table row or a line. */
interface Unit {
  start: number
  end: number
  tokens: number
  page: number | null
  startsBlock: boolean
  isProse: boolean
}

interface Section {
  headingPath: string[]
  heading: TextBlock | null
  body: TextBlock[]
}

/** In characters. Limits the work between two passages; a longer sentence or line is split first. */
const maxSpanLength = 10_000
// The lookahead keeps a long row of quotation marks from being read backwards at each of them.
const sentenceEnd = /(?=\s)(?<=[.!?…]["'”’»)\]]*)\s+|(?<=[。！？])|\n+/
const lineEnd = /\n+/

function splitSections(blocks: readonly TextBlock[]): Section[] {
  const sections: Section[] = []
  for (const block of blocks) {
    const isHeading = block.kind === 'heading'
    const current = sections.at(-1)
    if (isHeading || !current) {
      sections.push({
        headingPath: block.headingPath,
        heading: isHeading ? block : null,
        body: isHeading ? [] : [block],
      })
    } else current.body.push(block)
  }
  return sections
}

/** Moves the end of a part to a space in its last fifth, and never between the halves of a character. */
function findCut(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length
  const last = text.slice(start, end + 1)
  const space = last.lastIndexOf(' ')
  if (space > (end - start) * 0.8) return start + space + 1
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? Math.max(start + 1, end - 1) : end
}

/** Splits text that exceeds the maximum size, at a space if there is one nearby. */
function* splitLongText(text: string, start: number, tokens: number): Generator<[number, number]> {
  const size = Math.max(1, Math.floor((text.length / tokens) * targetTokens))
  for (let offset = 0; offset < text.length; ) {
    const end = findCut(text, offset, offset + size)
    yield [start + offset, start + end]
    offset = end
  }
}

/** Splits a block into sentences or lines. Parts of a longer one do not overlap. */
function* splitSpans(text: string, block: TextBlock, isProse: boolean): Generator<[number, number]> {
  const { charStart, charEnd } = block
  const pattern = isProse ? sentenceEnd : lineEnd
  for (let start = charStart; start < charEnd; ) {
    const ahead = text.slice(start, Math.min(charEnd, start + maxSpanLength))
    const isLast = start + ahead.length === charEnd
    const match = pattern.exec(ahead)
    const uncut = start + (match?.index ?? ahead.length)
    const end = match || isLast ? uncut : findCut(text, start, uncut)
    if (end > start) yield [start, end]
    start = end + (match?.[0].length ?? 0)
  }
}

function* splitUnits(text: string, blocks: readonly TextBlock[]): Generator<Unit> {
  for (const block of blocks) {
    const isProse = block.kind === 'paragraph' || block.kind === 'heading'
    let startsBlock = true
    function create(start: number, end: number, tokens: number): Unit {
      const unit = { start, end, tokens, page: block.page, startsBlock, isProse }
      startsBlock = false
      return unit
    }
    for (const [start, end] of splitSpans(text, block, isProse)) {
      const sentence = text.slice(start, end)
      const tokens = estimateTokens(sentence)
      if (tokens <= maxTokens) yield create(start, end, tokens)
      else
        for (const [from, to] of splitLongText(sentence, start, tokens))
          yield create(from, to, estimateTokens(text.slice(from, to)))
    }
  }
}

/** The units of a section, found only when they are needed, so that a long section does not block the server. */
interface Units {
  at(index: number): Unit | undefined
  slice(start: number, end: number): Unit[]
}

function createUnits(units: Generator<Unit>): Units {
  const found: Unit[] = []
  return {
    at(index) {
      while (found.length <= index) {
        const next = units.next()
        if (next.done) return undefined
        found.push(next.value)
      }
      return found[index]
    },
    slice: (start, end) => found.slice(start, end),
  }
}

/** Returns the exclusive end of the passage that begins at `start`. It includes at least the units before `minEnd`. */
function findEnd(units: Units, start: number, minEnd: number): number {
  let tokens = 0
  let end = start
  for (let unit = units.at(end); unit; unit = units.at(end)) {
    const isPageBreak = tokens >= minTokensAtPageBreak && unit.page !== units.at(end - 1)?.page
    if (end >= minEnd && (isPageBreak || tokens + unit.tokens > targetTokens)) break
    tokens += unit.tokens
    end++
  }
  if (units.at(end)?.startsBlock ?? true) return end
  // Complete the paragraph or the section if that fits.
  let next = end
  for (let unit = units.at(next); unit; unit = units.at(next)) {
    if (unit.startsBlock && next > end) return next
    tokens += unit.tokens
    if (tokens > maxTokens) return end
    next++
  }
  return next
}

function findPageBreaks(units: readonly Unit[]): Passage['pageBreaks'] {
  const breaks: Passage['pageBreaks'] = []
  let page = units[0]?.page ?? null
  for (const unit of units) {
    if (unit.page === null || unit.page === page) continue
    page = unit.page
    breaks.push([unit.start, page])
  }
  return breaks
}

/** Returns where the next passage begins: at the last sentences of this one, if short enough and on the same page. */
function findOverlapStart(units: Units, start: number, end: number): number {
  const next = units.at(end)
  let from = end
  let tokens = 0
  while (from - 1 > start) {
    const unit = units.at(from - 1)
    if (!unit || !next || !unit.isProse || unit.page !== next.page) break
    if (tokens + unit.tokens > overlapTokens || tokens + unit.tokens + next.tokens > maxTokens) break
    tokens += unit.tokens
    from--
  }
  return from
}

function isSubheading(path: readonly string[], parent: readonly string[]): boolean {
  return path.length > parent.length && parent.every((title, level) => path[level] === title)
}

/** A heading without text below it becomes a passage, unless the paths of its subheadings contain it. */
function selectBlocks(section: Section, next: Section | undefined): TextBlock[] {
  if (section.body.length > 0 || !section.heading) return section.body
  return next && isSubheading(next.headingPath, section.headingPath) ? [] : [section.heading]
}

/**
 * Splits a document's text along its structure. A passage never crosses a section boundary. Within a long
 * section it begins with the end of the previous passage. A generator, so that the caller can yield between
 * passages.
 */
export function* splitPassages(extracted: ExtractedText): Generator<Passage, void, undefined> {
  let ordinal = 0
  const sections = splitSections(extracted.blocks)
  for (const [index, section] of sections.entries()) {
    const units = createUnits(splitUnits(extracted.text, selectBlocks(section, sections[index + 1])))
    let [start, minEnd] = [0, 0]
    for (let first = units.at(start); first; first = units.at(start)) {
      const end = findEnd(units, start, minEnd + 1)
      const last = units.at(end - 1) ?? first
      const text = extracted.text.slice(first.start, last.end)
      yield {
        ordinal: ordinal++,
        page: first.page,
        pageBreaks: findPageBreaks(units.slice(start, end)),
        headingPath: section.headingPath,
        charStart: first.start,
        charEnd: last.end,
        text,
        tokens: estimateTokens(text),
      }
      minEnd = end
      start = units.at(end) ? findOverlapStart(units, start, end) : end
    }
  }
}
