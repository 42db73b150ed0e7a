import { otherScripts } from './decode-text.ts'
import type { OleFile } from './ole-file.ts'
import { ExtractionError } from './port.ts'

const marks = new Set([0xa5ec, 0xa5dc, 0xa5db, 0xa697, 0xa698, 0xa699])
const firstOf97 = 105
const complex = 0x0004
const encrypted = 0x0100
const secondTable = 0x0200
const wideLetters = 0x1000
const parts = 8

/** A structure's place in the table stream. */
export interface Place {
  at: number
  length: number
}

/** A part of the text, counted in characters. */
export interface Story {
  start: number
  end: number
}

export interface WordLayout {
  main: Buffer
  table: Buffer
  /** Word 97 and later; Word 6 and 95 have one byte a character and tables of other shapes. */
  isModern: boolean
  /** Whether each character has two bytes; in Word 97 and later each piece says that for itself. */
  isWide: boolean
  /** How characters of one byte are to be understood. */
  encoding: string
  /** Where the text begins when it lies in one piece. */
  textAt: number
  characters: number
  /** The body first; headers and comments are left out. */
  stories: Story[]
  pieces: Place | null
  styles: Place | null
  paragraphs: Place | null
  letters: Place | null
}

/** By the main part of the language that the document was written in. */
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

/** Many documents say English or nothing of their language, whatever they are written in. */
function encodingOf(main: Buffer, isModern: boolean, text: Buffer): string {
  if (isModern) return 'windows-1252'
  if (main[0x12] === mac) return 'macintosh'
  const named = encodings[main.readUInt16LE(6) & 0x3ff]
  const [guessed] = named ? [] : otherScripts(text)
  return named ?? (guessed && isDecodable(guessed) ? guessed : 'windows-1252')
}

function isDecodable(encoding: string): boolean {
  try {
    return Boolean(new TextDecoder(encoding))
  } catch {
    return false
  }
}

/** Body, footnotes, headers, macros, comments, endnotes, text boxes follow each other in this order. */
function storiesAt(main: Buffer, at: number): { stories: Story[]; characters: number } {
  const all: Story[] = []
  for (let index = 0; index < parts; index++) {
    const start = all.at(-1)?.end ?? 0
    all.push({ start, end: start + main.readUInt32LE(at + index * 4) })
  }
  const [body, footnotes, , , , endnotes, boxes] = all
  const wanted = [body, boxes, footnotes, endnotes].filter((story) => story !== undefined)
  return { stories: wanted.filter(({ start, end }) => end > start), characters: all.at(-1)?.end ?? 0 }
}

function placeAt(main: Buffer, at: number): Place | null {
  const length = main.readUInt32LE(at + 4)
  return length > 0 ? { at: main.readUInt32LE(at), length } : null
}

/** Reads the head of Word's main stream, which says where everything else is. */
export function layoutOf(file: OleFile): WordLayout {
  const main = file.stream('WordDocument')
  if (!main || main.length < 0x200 || !marks.has(main.readUInt16LE(0))) throw new ExtractionError('damaged')
  const flags = main.readUInt16LE(10)
  if (flags & encrypted) throw new ExtractionError('encrypted')
  const isModern = main.readUInt16LE(2) >= firstOf97
  const table = isModern ? file.stream(flags & secondTable ? '1Table' : '0Table') : main
  if (!table) throw new ExtractionError('damaged')
  const { stories, characters } = storiesAt(main, isModern ? 0x4c : 0x34)
  // Each has a byte of its own.
  if (characters > main.length) throw new ExtractionError('damaged')
  const textAt = main.readUInt32LE(0x18)
  const isWhole = !isModern && (flags & complex) === 0
  return {
    main,
    table,
    isModern,
    isWide: !isModern && (flags & wideLetters) !== 0,
    encoding: encodingOf(main, isModern, main.subarray(textAt, textAt + characters)),
    textAt,
    characters,
    stories,
    pieces: isWhole ? null : placeAt(main, isModern ? 0x1a2 : 0x160),
    styles: isModern ? placeAt(main, 0xa2) : null,
    paragraphs: isModern ? placeAt(main, 0x102) : null,
    letters: isModern ? placeAt(main, 0xfa) : null,
  }
}
