import { ExtractionError } from './port.ts'
import { readDeletedRanges, readHeadingStyles, readParagraphFormats, sprm } from './word-formats.ts'
import type { Story, WordLayout } from './word-layout.ts'

export interface WordParagraph {
  text: string
  /** Heading level from the style; null for other paragraphs. */
  level: number | null
  isInTable: boolean
  /** What the paragraph mark ends in addition to the paragraph. */
  ends: 'cell' | 'row' | null
}

interface Piece extends Story {
  /** Offset of its first character in the main stream. */
  at: number
  isWide: boolean
}

const compressedFlag = 0x40000000
const pieceSize = 8
const field = { begin: '\u0013', separator: '\u0014', end: '\u0015' } as const
const cellMark = '\u0007'
const maxHeadingLength = 250

function throwDamaged(): never {
  throw new ExtractionError('damaged')
}

/** Finds the piece table (PlcPcd) after the property modifiers at the start of the Clx ([MS-DOC] 2.9.38). */
function findPieceTable({ table, pieces }: WordLayout): { at: number; length: number } {
  let at = pieces?.at ?? 0
  while (table[at] === 1 && at + 3 <= table.length) at += 3 + table.readUInt16LE(at + 1)
  if (table[at] !== 2 || at + 5 > table.length) return throwDamaged()
  const length = table.readUInt32LE(at + 1)
  return at + 5 + length > table.length ? throwDamaged() : { at: at + 5, length }
}

/** Reads the pieces in text order ([MS-DOC] 2.4.1). A fast save leaves them scattered in the file. */
function readPieces(layout: WordLayout): Piece[] {
  const { main, table, isModern, textAt, characters } = layout
  if (!layout.pieces) return [{ start: 0, end: characters, at: textAt, isWide: layout.isWide }]
  const { at, length } = findPieceTable(layout)
  const count = Math.floor((length - 4) / (4 + pieceSize))
  const pieces: Piece[] = []
  for (let index = 0; index < count; index++) {
    const start = table.readUInt32LE(at + index * 4)
    const end = table.readUInt32LE(at + index * 4 + 4)
    const location = table.readUInt32LE(at + (count + 1) * 4 + index * pieceSize + 2)
    const isWide = isModern ? (location & compressedFlag) === 0 : layout.isWide
    const from = isModern && !isWide ? (location & ~compressedFlag) / 2 : location
    if (end < start || from + (end - start) * (isWide ? 2 : 1) > main.length) return throwDamaged()
    pieces.push({ start, end, at: from, isWide })
  }
  return pieces
}

interface Slice {
  text: string
  at: number
  step: number
}

/** Assembles the characters of a story into paragraphs. */
class ParagraphReader {
  readonly #layout: WordLayout
  readonly #formats
  readonly #levels
  readonly paragraphs: WordParagraph[] = []
  /** For each open field, whether its result has begun. The text before the result is the field's instruction. */
  #fields: boolean[] = []
  #text = ''
  #hasEndedCell = false

  constructor(layout: WordLayout) {
    this.#layout = layout
    this.#formats = readParagraphFormats(layout)
    this.#levels = readHeadingStyles(layout)
  }

  read(slices: Iterable<Slice>): void {
    for (const { text, at, step } of slices) {
      for (let index = 0; index < text.length; index++) this.#take(text[index] ?? '', at + index * step)
    }
    if (this.#text.trim()) this.#end('\r', -1)
    this.#fields = []
    this.#text = ''
  }

  #take(character: string, at: number): void {
    const open = this.#fields.length
    if (character === field.begin) this.#fields.push(false)
    else if (character === field.separator && open > 0) this.#fields[open - 1] = true
    else if (character === field.end) this.#fields.pop()
    else if (this.#fields.includes(false)) return
    else if (character === '\r' || character === '\f' || character === cellMark) this.#end(character, at)
    else this.#text += character
  }

  #end(mark: string, at: number): void {
    const format = this.#formats.at(at)
    const text = this.#text.replaceAll('\v', '\n').replaceAll('\u001e', '\u2011')
    this.#text = ''
    const isCell = mark === cellMark
    const isMarkedAsRowEnd = format?.modifiers.get(sprm.isRowEnd) === 1
    // Older files store this elsewhere. In them, an empty cell after another cell ends the row.
    const isRow = isCell && (this.#layout.isModern ? isMarkedAsRowEnd : this.#hasEndedCell && text === '')
    this.#hasEndedCell = isCell && !isRow
    const outline = format?.modifiers.get(sprm.outlineLevel) ?? 9
    const level = this.#levels.get(format?.style ?? -1) ?? (outline < 9 ? outline + 1 : null)
    this.paragraphs.push({
      text,
      level: text.length <= maxHeadingLength ? level : null,
      isInTable: isCell || format?.modifiers.get(sprm.isInTable) === 1,
      ends: isRow ? 'row' : isCell ? 'cell' : null,
    })
  }
}

/** Reads the paragraphs of body, text boxes and notes, without field instructions and deleted text. */
export function readParagraphs(layout: WordLayout): WordParagraph[] {
  const { main, encoding, stories } = layout
  const pieces = readPieces(layout)
  const deleted = readDeletedRanges(layout)
  const oneByteDecoder = new TextDecoder(encoding)
  const twoByteDecoder = new TextDecoder('utf-16le')
  const reader = new ParagraphReader(layout)

  function* withoutDeleted(from: number, to: number): Generator<[number, number]> {
    let at = from
    for (const { start, end } of deleted.between(from, to)) {
      if (start > at) yield [at, start]
      at = Math.max(at, end)
    }
    if (at < to) yield [at, to]
  }
  function* readSlices(story: Story): Generator<Slice> {
    for (const piece of pieces) {
      const start = Math.max(story.start, piece.start)
      const end = Math.min(story.end, piece.end)
      if (start >= end) continue
      const step = piece.isWide ? 2 : 1
      function at(cp: number): number {
        return piece.at + (cp - piece.start) * step
      }
      for (const [from, to] of withoutDeleted(at(start), at(end)))
        yield {
          text: (piece.isWide ? twoByteDecoder : oneByteDecoder).decode(main.subarray(from, to)),
          at: from,
          step,
        }
    }
  }
  for (const story of stories) reader.read(readSlices(story))
  return reader.paragraphs
}
