import { detectNonLatinEncodings } from './decode-text.ts'
import type { OleFile } from './ole-file.ts'
import { ExtractionError } from './port.ts'

const signatures = new Set([0xa5ec, 0xa5dc, 0xa5db, 0xa697, 0xa698, 0xa699])
const firstWord97Version = 105
const complex = 0x0004
const encrypted = 0x0100
const secondTable = 0x0200
const wideCharacters = 0x1000
const partCount = 8

/** Offset and length of a structure in the table stream. */
export interface StructureRange {
  at: number
  length: number
}

/** A part of the document, such as the body or the footnotes, in character positions. */
export interface Story {
  start: number
  end: number
}

export interface WordLayout {
  main: Buffer
  table: Buffer
  /** Word 97 and later. Word 6 and 95 use other table structures. */
  isModern: boolean
  /** Whether characters have two bytes. In Word 97 and later each piece has its own flag. */
  isWide: boolean
  /** The encoding of one-byte characters. */
  encoding: string
  /** Offset of the text if it is stored in one piece. */
  textAt: number
  characters: number
  /** The body first. Headers and comments are omitted. */
  stories: Story[]
  pieces: StructureRange | null
  styles: StructureRange | null
  paragraphFormats: StructureRange | null
  characterFormats: StructureRange | null
}

/** By primary language id. */
const encodings: Readonly<Record<number, string>> = {
  1: 'windows-1256',
  2: 'windows-1251',
  4: 'gbk',
  5: 'windows-1250',
  8: 'windows-1253',
  13: 'windows-1255',
  14: 'windows-1250',
  17: 'shift_jis',
  18: 'euc-kr',
  21: 'windows-1250',
  24: 'windows-1250',
  25: 'windows-1251',
  26: 'windows-1250',
  27: 'windows-1250',
  30: 'windows-874',
  31: 'windows-1254',
  34: 'windows-1251',
  35: 'windows-1251',
  36: 'windows-1250',
}

const mac = 1

/** Detects the encoding if the language does not imply one, because many documents only claim to be English. */
function detectEncoding(main: Buffer, isModern: boolean, text: Buffer): string {
  if (isModern) return 'windows-1252'
  if (main[0x12] === mac) return 'macintosh'
  const named = encodings[main.readUInt16LE(6) & 0x3ff]
  const [guessed] = named ? [] : detectNonLatinEncodings(text)
  return named ?? (guessed && isDecodable(guessed) ? guessed : 'windows-1252')
}

function isDecodable(encoding: string): boolean {
  try {
    return Boolean(new TextDecoder(encoding))
  } catch {
    return false
  }
}

/** Reads the parts in their order in the file, given by the counts in FibRgLw97 ([MS-DOC] 2.5.4). */
function readStories(main: Buffer, at: number): { stories: Story[]; characters: number } {
  const all: Story[] = []
  for (let index = 0; index < partCount; index++) {
    const start = all.at(-1)?.end ?? 0
    all.push({ start, end: start + main.readUInt32LE(at + index * 4) })
  }
  const [body, footnotes, , , , endnotes, boxes] = all
  const wanted = [body, boxes, footnotes, endnotes].filter((story) => story !== undefined)
  return { stories: wanted.filter(({ start, end }) => end > start), characters: all.at(-1)?.end ?? 0 }
}

function readRange(main: Buffer, at: number): StructureRange | null {
  const length = main.readUInt32LE(at + 4)
  return length > 0 ? { at: main.readUInt32LE(at), length } : null
}

/** Reads the file information block, which locates everything else ([MS-DOC] 2.5.1, Fib; 2.5.6, FibRgFcLcb97). */
export function readLayout(file: OleFile): WordLayout {
  const main = file.readStream('WordDocument')
  if (!main || main.length < 0x200 || !signatures.has(main.readUInt16LE(0)))
    throw new ExtractionError('damaged')
  const flags = main.readUInt16LE(10)
  if (flags & encrypted) throw new ExtractionError('encrypted')
  const isModern = main.readUInt16LE(2) >= firstWord97Version
  const table = isModern ? file.readStream(flags & secondTable ? '1Table' : '0Table') : main
  if (!table) throw new ExtractionError('damaged')
  const { stories, characters } = readStories(main, isModern ? 0x4c : 0x34)
  // Every character needs at least one byte.
  if (characters > main.length) throw new ExtractionError('damaged')
  const textAt = main.readUInt32LE(0x18)
  const isWhole = !isModern && (flags & complex) === 0
  return {
    main,
    table,
    isModern,
    isWide: !isModern && (flags & wideCharacters) !== 0,
    encoding: detectEncoding(main, isModern, main.subarray(textAt, textAt + characters)),
    textAt,
    characters,
    stories,
    pieces: isWhole ? null : readRange(main, isModern ? 0x1a2 : 0x160),
    styles: isModern ? readRange(main, 0xa2) : null,
    paragraphFormats: isModern ? readRange(main, 0x102) : null,
    characterFormats: isModern ? readRange(main, 0xfa) : null,
  }
}
