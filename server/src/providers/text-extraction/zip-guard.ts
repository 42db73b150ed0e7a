import type { Entry, ZipFile } from 'yauzl'
import { ExtractionError } from './port.ts'

const maxEntries = 2000
const maxTotal = 100 * 1024 * 1024
const maxEach = 50 * 1024 * 1024
const maxRatio = 100
const symlink = 0o120000
const kindOfFile = 0o170000

// UTF-16 puts a zero before or after each letter.
const doctypes = [
  Buffer.from('<!DOCTYPE'),
  Buffer.from('<!DOCTYPE', 'utf16le'),
  Buffer.from('<!DOCTYPE', 'utf16le').swap16(),
]
function declaresType(part: Buffer): boolean {
  return doctypes.some((doctype) => part.includes(doctype))
}

function unsafe(): never {
  throw new ExtractionError('unsafe')
}

function isUnsafeName(name: string): boolean {
  return /^[\\/]|^[a-z]:|\0|\\/i.test(name) || name.split('/').includes('..')
}

/** Counts what an archive unpacks to and refuses what is out of proportion. */
class Budget {
  readonly #archiveSize: number
  #total = 0
  constructor(archiveSize: number) {
    this.#archiveSize = archiveSize
  }
  spend(bytes: number, soFarInEntry: number): void {
    this.#total += bytes
    const isTooMuch = this.#total > maxTotal || soFarInEntry > maxEach
    if (isTooMuch || this.#total > this.#archiveSize * maxRatio) unsafe()
  }
}

/** Refuses an archive by what its directory declares; returns the names in it. `zip` must be opened with `decodeStrings: false`. */
export async function checkDeclared(
  zip: ZipFile,
  onEntry?: (name: string, entry: Entry) => Promise<void>,
): Promise<Set<string>> {
  if (zip.entryCount > maxEntries) unsafe()
  const budget = new Budget(zip.fileSize)
  const names = new Set<string>()
  for await (const entry of zip.eachEntry()) {
    // With decodeStrings off the library gives bytes where its types promise a string.
    const name = Buffer.from(entry.fileName as unknown as Buffer).toString('utf8')
    const mode = entry.externalFileAttributes >>> 16
    if (isUnsafeName(name) || (mode & kindOfFile) === symlink || names.size >= maxEntries) unsafe()
    budget.spend(entry.uncompressedSize, entry.uncompressedSize)
    names.add(name)
    await onEntry?.(name, entry)
  }
  return names
}

/** Word calls the text document.xml, its version in the browser sometimes document2.xml. */
export function isWordText(name: string): boolean {
  return /^word\/document\d{0,2}\.xml$/.test(name)
}

/** The parts of a Word document that are read: no picture, font or embedded file is among them. */
function isReadPart(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name) && /^(?:word\/|_rels\/|\[Content_Types\])/.test(name)
}

/**
 * Unpacks everything once, since what a directory declares may be a lie, and gives the parts that are read.
 * None of them may declare a document type; a picture may hold one among what its maker wrote into it.
 */
export async function unpackChecked(zip: ZipFile): Promise<Map<string, Buffer>> {
  const budget = new Budget(zip.fileSize)
  const parts = new Map<string, Buffer>()
  await checkDeclared(zip, async (name, entry) => {
    const content = await zip.openReadStreamPromise(entry)
    const isKept = isReadPart(name)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length
      budget.spend(chunk.length, size)
      if (isKept) chunks.push(chunk)
    }
    if (!isKept) return
    const part = Buffer.concat(chunks)
    if (declaresType(part)) unsafe()
    parts.set(name, part)
  })
  return parts
}
