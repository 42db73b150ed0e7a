import type { Entry, ZipFile } from 'yauzl'
import { ExtractionError } from './port.ts'

const maxEntries = 2000
const maxTotal = 100 * 1024 * 1024
const maxEach = 50 * 1024 * 1024
const maxRatio = 100
const symlink = 0o120000
const kindOfFile = 0o170000

// Written so that UTF-16, which puts a zero between the letters, does not hide it.
const doctype = '<!DOCTYPE'

const unsafe = (): never => {
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
  onEntry?: (entry: Entry) => Promise<void>,
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
    await onEntry?.(entry)
  }
  return names
}

/** Unpacks everything once, keeping nothing: what a directory declares may be a lie. */
export async function checkUnpacked(zip: ZipFile): Promise<Set<string>> {
  const budget = new Budget(zip.fileSize)
  return await checkDeclared(zip, async (entry) => {
    const content = await zip.openReadStreamPromise(entry)
    let size = 0
    let tail = ''
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length
      budget.spend(chunk.length, size)
      const text = tail + chunk.toString('latin1').replaceAll('\0', '')
      if (text.includes(doctype)) unsafe()
      tail = text.slice(1 - doctype.length)
    }
  })
}
