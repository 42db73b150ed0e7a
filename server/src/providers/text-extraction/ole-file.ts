import { isOle } from './ole.ts'
import { ExtractionError } from './port.ts'

const headerSectors = 109
const entrySize = 128
const streamType = 2
const rootType = 5
const noSector = 0xffffffff
/** Sector numbers from here on are special values, such as the end of a chain ([MS-CFB] 2.1). */
const firstSpecialSector = 0xfffffffa

interface Entry {
  name: string
  type: number
  left: number
  right: number
  child: number
  start: number
  size: number
}

interface Sectors {
  bytes: Buffer
  size: number
  /** Position of the first sector, in bytes. */
  offset: number
  next: number[]
}

function throwDamaged(): never {
  throw new ExtractionError('damaged')
}

/** Reads the sector chain that begins at `start`. Throws for a chain that loops. */
function readChain({ bytes, size, offset, next }: Sectors, start: number): Buffer {
  const pieces: Buffer[] = []
  for (let at = start; at < firstSpecialSector; at = next[at] ?? noSector) {
    const from = offset + at * size
    if (from >= bytes.length || pieces.length > next.length) throwDamaged()
    pieces.push(bytes.subarray(from, from + size))
  }
  return Buffer.concat(pieces)
}

function toNumbers(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}

function readEntry(directory: Buffer, number: number): Entry | null {
  const bytes = directory.subarray(number * entrySize, (number + 1) * entrySize)
  if (bytes.length < entrySize) return null
  const nameBytes = Math.max(0, Math.min(64, bytes.readUInt16LE(64)) - 2)
  return {
    name: bytes.toString('utf16le', 0, nameBytes),
    type: bytes[66] ?? 0,
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    start: bytes.readUInt32LE(116),
    size: bytes.readUInt32LE(120),
  }
}

/**
 * A compound file ([MS-CFB]), the small file system that contains a Word 6 to 2003 document. Reads the header (2.2), the
 * FAT (2.3) and mini FAT (2.4), and the directory (2.6); only top-level streams are used.
 */
export class OleFile {
  readonly #large: Sectors
  readonly #small: Sectors
  readonly #smallBelow: number
  readonly #streams = new Map<string, Entry>()

  constructor(bytes: Buffer) {
    if (!isOle(bytes) || bytes.length < 512) throwDamaged()
    const size = 2 ** bytes.readUInt16LE(30)
    const smallSize = 2 ** bytes.readUInt16LE(32)
    if ((size !== 512 && size !== 4096) || smallSize !== 64) throwDamaged()
    this.#large = { bytes, size, offset: size, next: [] }
    this.#large.next = this.#readTable(bytes)
    this.#smallBelow = bytes.readUInt32LE(56)
    const directory = readChain(this.#large, bytes.readUInt32LE(48))
    const root = readEntry(directory, 0)
    if (root?.type !== rootType) throw new ExtractionError('damaged')
    this.#small = {
      bytes: root.start < firstSpecialSector ? readChain(this.#large, root.start) : Buffer.alloc(0),
      size: smallSize,
      offset: 0,
      next: toNumbers(readChain(this.#large, bytes.readUInt32LE(60))),
    }
    this.#collect(directory, root.child)
  }

  /** Reads the FAT, whose sectors are listed in the header and, for large files, in DIFAT sectors ([MS-CFB] 2.5). */
  #readTable(bytes: Buffer): number[] {
    const { size, offset } = this.#large
    const sectors = toNumbers(bytes.subarray(76, 76 + headerSectors * 4))
    const maxSectors = Math.ceil(bytes.length / size)
    let at = bytes.readUInt32LE(68)
    for (let count = 0; at < firstSpecialSector; count++) {
      const list = toNumbers(bytes.subarray(offset + at * size, offset + (at + 1) * size))
      if (count > maxSectors || list.length === 0) throwDamaged()
      at = list.pop() ?? noSector
      sectors.push(...list)
    }
    const used = sectors.filter((sector) => sector < firstSpecialSector).slice(0, maxSectors)
    return used.flatMap((sector) =>
      toNumbers(bytes.subarray(offset + sector * size, offset + (sector + 1) * size)),
    )
  }

  #collect(directory: Buffer, first: number): void {
    const seen = new Set<number>()
    const waiting = [first]
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const entry = number === noSector || seen.has(number) ? null : readEntry(directory, number)
      seen.add(number)
      if (!entry) continue
      if (entry.type === streamType) this.#streams.set(entry.name, entry)
      waiting.push(entry.left, entry.right)
    }
  }

  has(name: string): boolean {
    return this.#streams.has(name)
  }

  /** Returns the bytes of a stream; null if there is no stream of that name. */
  readStream(name: string): Buffer | null {
    const entry = this.#streams.get(name)
    if (!entry) return null
    if (entry.size === 0) return Buffer.alloc(0)
    const bytes = readChain(entry.size < this.#smallBelow ? this.#small : this.#large, entry.start)
    return bytes.length < entry.size ? throwDamaged() : bytes.subarray(0, entry.size)
  }
}
