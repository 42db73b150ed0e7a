import { ExtractionError } from './port.ts'
import type { StructureRange, WordLayout } from './word-layout.ts'

const pageSize = 512
const paragraphSlotSize = 13

/** The property modifiers (Sprms) that matter for the text: sprmCFRMarkDel, sprmPFInTable, sprmPFTtp, sprmPOutLvl. */
export const sprm = {
  isDeleted: 0x0800,
  isInTable: 0x2416,
  isRowEnd: 0x2417,
  outlineLevel: 0x2640,
} as const

const tableDefinitionSprm = 0xd608
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3]

interface FormattedRange {
  /** Offsets in the main stream. */
  start: number
  end: number
  style: number
  modifiers: Map<number, number>
}

/** Returns the first operand byte of each Sprm. */
function readSprms(bytes: Buffer): Map<number, number> {
  const changes = new Map<number, number>()
  for (let at = 0; at + 2 < bytes.length; ) {
    const code = bytes.readUInt16LE(at)
    const kind = code >> 13
    at += 2
    changes.set(code, bytes[at] ?? 0)
    if (code === tableDefinitionSprm) at += at + 2 <= bytes.length ? bytes.readUInt16LE(at) + 1 : 1
    else at += kind === 6 ? 1 + (bytes[at] ?? 0) : (operandBytes[kind] ?? 1)
  }
  return changes
}

function readParagraphFormat(page: Buffer, offset: number): { style: number; changes: Buffer } {
  const lengthInWords = page[offset] ?? 0
  const from = lengthInWords === 0 ? offset + 2 : offset + 1
  const length = lengthInWords === 0 ? (page[offset + 1] ?? 0) * 2 : lengthInWords * 2 - 1
  const bytes = page.subarray(from, from + length)
  return { style: bytes.length >= 2 ? bytes.readUInt16LE(0) : 0, changes: bytes.subarray(2) }
}

function readCharacterFormat(page: Buffer, offset: number): { style: number; changes: Buffer } {
  return { style: 0, changes: page.subarray(offset + 1, offset + 1 + (page[offset] ?? 0)) }
}

/** Reads the 512-byte pages that map ranges of the main stream to formats: PapxFkp and ChpxFkp ([MS-DOC] 2.9.33). */
function* readFormats(
  layout: WordLayout,
  range: StructureRange,
  isParagraph: boolean,
): Generator<FormattedRange> {
  const count = Math.floor((range.length - 4) / 8)
  const { main, table } = layout
  if (count > main.length / pageSize || range.at + range.length > table.length)
    throw new ExtractionError('damaged')
  for (let index = 0; index < count; index++) {
    const number = table.readUInt32LE(range.at + (count + 1) * 4 + index * 4) & 0x3fffff
    const page = main.subarray(number * pageSize, (number + 1) * pageSize)
    if (page.length < pageSize) continue
    const runs = page[pageSize - 1] ?? 0
    const slots = (runs + 1) * 4
    const slotSize = isParagraph ? paragraphSlotSize : 1
    if (slots + runs * slotSize >= pageSize) continue
    for (let run = 0; run < runs; run++) {
      const offset = (page[slots + run * slotSize] ?? 0) * 2
      const noFormat = { style: 0, changes: Buffer.alloc(0) }
      const format =
        offset === 0
          ? noFormat
          : isParagraph
            ? readParagraphFormat(page, offset)
            : readCharacterFormat(page, offset)
      yield {
        start: page.readUInt32LE(run * 4),
        end: page.readUInt32LE(run * 4 + 4),
        style: format.style,
        modifiers: readSprms(format.changes),
      }
    }
  }
}

/** Sorted ranges of the main stream that can be looked up by offset. */
export class RangeList<T extends { start: number; end: number }> {
  readonly #sorted: T[]
  constructor(all: Iterable<T>) {
    this.#sorted = [...all].filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)
  }

  #firstEndingAfter(offset: number): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle]?.end ?? 0) > offset) high = middle
      else low = middle + 1
    }
    return low
  }

  at(offset: number): T | null {
    const found = this.#sorted[this.#firstEndingAfter(offset)]
    return found && found.start <= offset ? found : null
  }

  *between(start: number, end: number): Generator<T> {
    for (let index = this.#firstEndingAfter(start); index < this.#sorted.length; index++) {
      const found = this.#sorted[index]
      if (!found || found.start >= end) return
      yield found
    }
  }
}

export function readParagraphFormats(layout: WordLayout): RangeList<FormattedRange> {
  return new RangeList(layout.paragraphFormats ? readFormats(layout, layout.paragraphFormats, true) : [])
}

/** Text deleted as a tracked change is still in the file. */
export function readDeletedRanges(layout: WordLayout): RangeList<{ start: number; end: number }> {
  if (!layout.characterFormats) return new RangeList([])
  const all = readFormats(layout, layout.characterFormats, false)
  return new RangeList(all.filter(({ modifiers }) => ((modifiers.get(sprm.isDeleted) ?? 0) & 1) === 1))
}

const maxBases = 10
const lastHeading = 9

/** Returns the heading level of each style that is a built-in heading or based on one ([MS-DOC] 2.9.271, STSH). */
export function readHeadingStyles({ table, styles }: WordLayout): Map<number, number> {
  const styleBases: { kind: number; base: number }[] = []
  if (styles && styles.at + 6 <= table.length) {
    const head = table.readUInt16LE(styles.at)
    const count = table.readUInt16LE(styles.at + 2)
    const end = Math.min(styles.at + styles.length, table.length)
    for (let at = styles.at + 2 + head; at + 6 <= end && styleBases.length < count; ) {
      const length = table.readUInt16LE(at)
      styleBases.push(
        length === 0
          ? { kind: 0, base: 0xfff }
          : { kind: table.readUInt16LE(at + 2) & 0xfff, base: table.readUInt16LE(at + 4) >> 4 },
      )
      at += 2 + length + (length % 2)
    }
  }
  const levels = new Map<number, number>()
  for (const [index] of styleBases.entries()) {
    let style = styleBases[index]
    for (let step = 0; style && step < maxBases; step++, style = styleBases[style.base]) {
      if (style.kind < 1 || style.kind > lastHeading) continue
      levels.set(index, style.kind)
      break
    }
  }
  return levels
}
