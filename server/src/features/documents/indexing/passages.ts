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

const sentenceEnd = /(?<=[.!?…]["'”’»)\]]*)\s+|(?<=[。！？])|\n+/g
const lineEnd = /\n+/g

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

/** Splits text that exceeds the maximum size, at a space if there is one nearby. */
function* splitLongText(text: string, start: number, tokens: number): Generator<[number, number]> {
  const size = Math.max(1, Math.floor((text.length / tokens) * targetTokens))
  for (let offset = 0; offset < text.length; ) {
    let end = Math.min(offset + size, text.length)
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end)
      if (space > offset + size * 0.8) end = space + 1
      else if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end = Math.max(offset + 1, end - 1)
    }
    yield [start + offset, start + end]
    offset = end
  }
}

function* splitSpans(text: string, block: TextBlock, isProse: boolean): Generator<[number, number]> {
  const source = text.slice(block.charStart, block.charEnd)
  let offset = 0
  const ends = [...source.matchAll(isProse ? sentenceEnd : lineEnd)].map(
    (match) => [match.index, match[0].length] as const,
  )
  for (const [index, length] of [...ends, [source.length, 0] as const]) {
    if (index > offset) yield [block.charStart + offset, block.charStart + index]
    offset = index + length
  }
}

function splitUnits(text: string, blocks: readonly TextBlock[]): Unit[] {
  const units: Unit[] = []
  for (const block of blocks) {
    const isProse = block.kind === 'paragraph' || block.kind === 'heading'
    let startsBlock = true
    function add(start: number, end: number, tokens: number): void {
      units.push({ start, end, tokens, page: block.page, startsBlock, isProse })
      startsBlock = false
    }
    for (const [start, end] of splitSpans(text, block, isProse)) {
      const sentence = text.slice(start, end)
      const tokens = estimateTokens(sentence)
      if (tokens <= maxTokens) add(start, end, tokens)
      else
        for (const [from, to] of splitLongText(sentence, start, tokens))
          add(from, to, estimateTokens(text.slice(from, to)))
    }
  }
  return units
}

/** Returns the exclusive end of the passage that begins at `start`. It includes at least the units before `minEnd`. */
function findEnd(units: readonly Unit[], start: number, minEnd: number): number {
  let tokens = 0
  let end = start
  for (; end < units.length; end++) {
    const unit = units[end]
    if (!unit) break
    const isPageBreak = tokens >= minTokensAtPageBreak && unit.page !== units[end - 1]?.page
    if (end >= minEnd && (isPageBreak || tokens + unit.tokens > targetTokens)) break
    tokens += unit.tokens
  }
  if (end === units.length || units[end]?.startsBlock) return end
  // Complete the paragraph or the section if that fits.
  for (let next = end; next < units.length; next++) {
    const unit = units[next]
    if (!unit || (unit.startsBlock && next > end)) return next
    tokens += unit.tokens
    if (tokens > maxTokens) return end
  }
  return units.length
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
function findOverlapStart(units: readonly Unit[], start: number, end: number): number {
  const next = units[end]
  let from = end
  let tokens = 0
  while (from - 1 > start) {
    const unit = units[from - 1]
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
    const units = splitUnits(extracted.text, selectBlocks(section, sections[index + 1]))
    let minEnd = 0
    for (let start = 0; start < units.length; ) {
      const end = findEnd(units, start, minEnd + 1)
      const [first, last] = [units[start], units[end - 1]]
      if (!first || !last) break
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
      start = end < units.length ? findOverlapStart(units, start, end) : end
    }
  }
}
