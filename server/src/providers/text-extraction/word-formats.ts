import { ExtractionError } from './port.ts'
import type { Place, WordLayout } from './word-layout.ts'

const pageSize = 512
const paragraphSlot = 13

/** Codes of the changes to a paragraph or to letters that matter to the text. */
export const change = {
  isDeleted: 0x0800,
  isInTable: 0x2416,
  isRowEnd: 0x2417,
  outlineLevel: 0x2640,
} as const

const longTable = 0xd608
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3]

interface Formatted {
  /** Places in the main stream. */
  start: number
  end: number
  style: number
  changes: Map<number, number>
}

/** The codes and the first byte of each one's value. */
function changesIn(bytes: Buffer): Map<number, number> {
  const changes = new Map<number, number>()
  for (let at = 0; at + 2 < bytes.length; ) {
    const code = bytes.readUInt16LE(at)
    const kind = code >> 13
    at += 2
    changes.set(code, bytes[at] ?? 0)
    if (code === longTable) at += at + 2 <= bytes.length ? bytes.readUInt16LE(at) + 1 : 1
    else at += kind === 6 ? 1 + (bytes[at] ?? 0) : (operandBytes[kind] ?? 1)
  }
  return changes
}

function paragraphFormat(page: Buffer, offset: number): { style: number; changes: Buffer } {
  const words = page[offset] ?? 0
  const from = words === 0 ? offset + 2 : offset + 1
  const length = words === 0 ? (page[offset + 1] ?? 0) * 2 : words * 2 - 1
  const bytes = page.subarray(from, from + length)
  return { style: bytes.length >= 2 ? bytes.readUInt16LE(0) : 0, changes: bytes.subarray(2) }
}

function letterFormat(page: Buffer, offset: number): { style: number; changes: Buffer } {
  return { style: 0, changes: page.subarray(offset + 1, offset + 1 + (page[offset] ?? 0)) }
}

/** Formats are kept in pages of 512 bytes, each with the stretches of the main stream that they hold for. */
function* formatsAt(layout: WordLayout, place: Place, isParagraph: boolean): Generator<Formatted> {
  const count = Math.floor((place.length - 4) / 8)
  const { main, table } = layout
  if (count > main.length / pageSize || place.at + place.length > table.length)
    throw new ExtractionError('damaged')
  for (let index = 0; index < count; index++) {
    const number = table.readUInt32LE(place.at + (count + 1) * 4 + index * 4) & 0x3fffff
    const page = main.subarray(number * pageSize, (number + 1) * pageSize)
    if (page.length < pageSize) continue
    const runs = page[pageSize - 1] ?? 0
    const slots = (runs + 1) * 4
    const slot = isParagraph ? paragraphSlot : 1
    if (slots + runs * slot >= pageSize) continue
    for (let run = 0; run < runs; run++) {
      const offset = (page[slots + run * slot] ?? 0) * 2
      const none = { style: 0, changes: Buffer.alloc(0) }
      const format =
        offset === 0 ? none : isParagraph ? paragraphFormat(page, offset) : letterFormat(page, offset)
      yield {
        start: page.readUInt32LE(run * 4),
        end: page.readUInt32LE(run * 4 + 4),
        style: format.style,
        changes: changesIn(format.changes),
      }
    }
  }
}

/** Something said about stretches of the main stream, found by a place in it. */
export class Stretches<T extends { start: number; end: number }> {
  readonly #sorted: T[]
  constructor(all: Iterable<T>) {
    this.#sorted = [...all].filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)
  }

  #firstEndingAfter(place: number): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle]?.end ?? 0) > place) high = middle
      else low = middle + 1
    }
    return low
  }

  at(place: number): T | null {
    const found = this.#sorted[this.#firstEndingAfter(place)]
    return found && found.start <= place ? found : null
  }

  *between(start: number, end: number): Generator<T> {
    for (let index = this.#firstEndingAfter(start); index < this.#sorted.length; index++) {
      const found = this.#sorted[index]
      if (!found || found.start >= end) return
      yield found
    }
  }
}

export function paragraphFormats(layout: WordLayout): Stretches<Formatted> {
  return new Stretches(layout.paragraphs ? formatsAt(layout, layout.paragraphs, true) : [])
}

/** What was deleted while changes were tracked is still in the file. */
export function deletedStretches(layout: WordLayout): Stretches<{ start: number; end: number }> {
  if (!layout.letters) return new Stretches([])
  const all = formatsAt(layout, layout.letters, false)
  return new Stretches(all.filter(({ changes }) => ((changes.get(change.isDeleted) ?? 0) & 1) === 1))
}

const mostBases = 10
const lastHeading = 9

/** The outline level of each style that is one of Word's headings or made from one. */
export function headingStyles({ table, styles }: WordLayout): Map<number, number> {
  const known: { kind: number; base: number }[] = []
  if (styles && styles.at + 6 <= table.length) {
    const head = table.readUInt16LE(styles.at)
    const count = table.readUInt16LE(styles.at + 2)
    const end = Math.min(styles.at + styles.length, table.length)
    for (let at = styles.at + 2 + head; at + 6 <= end && known.length < count; ) {
      const length = table.readUInt16LE(at)
      known.push(
        length === 0
          ? { kind: 0, base: 0xfff }
          : { kind: table.readUInt16LE(at + 2) & 0xfff, base: table.readUInt16LE(at + 4) >> 4 },
      )
      at += 2 + length + (length % 2)
    }
  }
  const levels = new Map<number, number>()
  for (const [index] of known.entries()) {
    let style = known[index]
    for (let step = 0; style && step < mostBases; step++, style = known[style.base]) {
      if (style.kind < 1 || style.kind > lastHeading) continue
      levels.set(index, style.kind)
      break
    }
  }
  return levels
}
