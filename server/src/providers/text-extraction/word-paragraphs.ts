import { ExtractionError } from './port.ts'
import { change, deletedStretches, headingStyles, paragraphFormats } from './word-formats.ts'
import type { Story, WordLayout } from './word-layout.ts'

export interface WordParagraph {
  text: string
  /** Of a heading, by its style. */
  level: number | null
  isInTable: boolean
  /** What the paragraph's mark ends besides the paragraph. */
  ends: 'cell' | 'row' | null
}

interface Piece extends Story {
  /** Place of its first character in the main stream. */
  at: number
  isWide: boolean
}

const isNarrow = 0x40000000
const pieceSize = 8
const field = { begin: '\u0013', separator: '\u0014', end: '\u0015' } as const
const cellMark = '\u0007'
const longestHeading = 250

function damaged(): never {
  throw new ExtractionError('damaged')
}

/** The list of pieces stands behind changes of format that it may refer to. */
function pieceListAt({ table, pieces }: WordLayout): { at: number; length: number } {
  let at = pieces?.at ?? 0
  while (table[at] === 1 && at + 3 <= table.length) at += 3 + table.readUInt16LE(at + 1)
  if (table[at] !== 2 || at + 5 > table.length) return damaged()
  const length = table.readUInt32LE(at + 1)
  return at + 5 + length > table.length ? damaged() : { at: at + 5, length }
}

/** The text in order: the file may keep it scattered, as after quick saves. */
function piecesOf(layout: WordLayout): Piece[] {
  const { main, table, isModern, textAt, characters } = layout
  if (!layout.pieces) return [{ start: 0, end: characters, at: textAt, isWide: layout.isWide }]
  const { at, length } = pieceListAt(layout)
  const count = Math.floor((length - 4) / (4 + pieceSize))
  const pieces: Piece[] = []
  for (let index = 0; index < count; index++) {
    const start = table.readUInt32LE(at + index * 4)
    const end = table.readUInt32LE(at + index * 4 + 4)
    const place = table.readUInt32LE(at + (count + 1) * 4 + index * pieceSize + 2)
    const isWide = isModern ? (place & isNarrow) === 0 : layout.isWide
    const from = isModern && !isWide ? (place & ~isNarrow) / 2 : place
    if (end < start || from + (end - start) * (isWide ? 2 : 1) > main.length) return damaged()
    pieces.push({ start, end, at: from, isWide })
  }
  return pieces
}

interface Slice {
  text: string
  at: number
  step: number
}

/** Puts the characters of a story together into paragraphs. */
class ParagraphReader {
  readonly #layout: WordLayout
  readonly #formats
  readonly #levels
  readonly paragraphs: WordParagraph[] = []
  /** For each field that is open whether its result has begun: what stands before that is an instruction. */
  #fields: boolean[] = []
  #text = ''
  #hasEndedCell = false

  constructor(layout: WordLayout) {
    this.#layout = layout
    this.#formats = paragraphFormats(layout)
    this.#levels = headingStyles(layout)
  }

  read(slices: Iterable<Slice>): void {
    for (const { text, at, step } of slices) {
      for (let index = 0; index < text.length; index++) this.#take(text[index] ?? '', at + index * step)
    }
    if (this.#text.trim()) this.#end('\r', -1)
    this.#fields = []
    this.#text = ''
  }

  #take(letter: string, at: number): void {
    const open = this.#fields.length
    if (letter === field.begin) this.#fields.push(false)
    else if (letter === field.separator && open > 0) this.#fields[open - 1] = true
    else if (letter === field.end) this.#fields.pop()
    else if (this.#fields.includes(false)) return
    else if (letter === '\r' || letter === '\f' || letter === cellMark) this.#end(letter, at)
    else this.#text += letter
  }

  #end(mark: string, at: number): void {
    const format = this.#formats.at(at)
    const text = this.#text.replaceAll('\v', '\n').replaceAll('\u001e', '\u2011')
    this.#text = ''
    const isCell = mark === cellMark
    const said = format?.changes.get(change.isRowEnd) === 1
    // Older files do not say it where we look: there the mark of a row is a cell without text after a cell.
    const isRow = isCell && (this.#layout.isModern ? said : this.#hasEndedCell && text === '')
    this.#hasEndedCell = isCell && !isRow
    const outline = format?.changes.get(change.outlineLevel) ?? 9
    const level = this.#levels.get(format?.style ?? -1) ?? (outline < 9 ? outline + 1 : null)
    this.paragraphs.push({
      text,
      level: text.length <= longestHeading ? level : null,
      isInTable: isCell || format?.changes.get(change.isInTable) === 1,
      ends: isRow ? 'row' : isCell ? 'cell' : null,
    })
  }
}

/** The paragraphs of the body, then of text boxes and notes; without field instructions and what was deleted. */
export function paragraphsOf(layout: WordLayout): WordParagraph[] {
  const { main, encoding, stories } = layout
  const pieces = piecesOf(layout)
  const deleted = deletedStretches(layout)
  const narrow = new TextDecoder(encoding)
  const wide = new TextDecoder('utf-16le')
  const reader = new ParagraphReader(layout)

  function* kept(from: number, to: number): Generator<[number, number]> {
    let at = from
    for (const { start, end } of deleted.between(from, to)) {
      if (start > at) yield [at, start]
      at = Math.max(at, end)
    }
    if (at < to) yield [at, to]
  }
  function* slices(story: Story): Generator<Slice> {
    for (const piece of pieces) {
      const start = Math.max(story.start, piece.start)
      const end = Math.min(story.end, piece.end)
      if (start >= end) continue
      const step = piece.isWide ? 2 : 1
      function at(cp: number): number {
        return piece.at + (cp - piece.start) * step
      }
      for (const [from, to] of kept(at(start), at(end)))
        yield { text: (piece.isWide ? wide : narrow).decode(main.subarray(from, to)), at: from, step }
    }
  }
  for (const story of stories) reader.read(slices(story))
  return reader.paragraphs
}
