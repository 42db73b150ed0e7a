import type { Entry, ZipFile } from 'yauzl'
import { ExtractionError } from './port.ts'

const maxEntries = 2000
const maxTotalBytes = 100 * 1024 * 1024
const maxEntryBytes = 50 * 1024 * 1024
const maxRatio = 100
const symlink = 0o120000
const fileTypeMask = 0o170000

// In ASCII and in UTF-16, little and big endian.
const doctypes = [
  Buffer.from('<!DOCTYPE'),
  Buffer.from('<!DOCTYPE', 'utf16le'),
  Buffer.from('<!DOCTYPE', 'utf16le').swap16(),
]
function containsDoctype(part: Buffer): boolean {
  return doctypes.some((doctype) => part.includes(doctype))
}

function throwUnsafe(): never {
  throw new ExtractionError('unsafe')
}

function isUnsafeName(name: string): boolean {
  return /^[\\/]|^[a-z]:|\0|\\/i.test(name) || name.split('/').includes('..')
}

/** Counts the unpacked bytes of an archive and throws when they exceed the limits. */
class Budget {
  readonly #archiveSize: number
  #total = 0
  constructor(archiveSize: number) {
    this.#archiveSize = archiveSize
  }
  spend(bytes: number, entryBytes: number): void {
    this.#total += bytes
    const isTooMuch = this.#total > maxTotalBytes || entryBytes > maxEntryBytes
    if (isTooMuch || this.#total > this.#archiveSize * maxRatio) throwUnsafe()
  }
}

/**
 * Checks names, modes and declared sizes of all entries and returns the names. Throws for unsafe archives. `zip` must
 * be opened with `decodeStrings: false`.
 */
export async function checkEntries(
  zip: ZipFile,
  onEntry?: (name: string, entry: Entry) => Promise<void>,
): Promise<Set<string>> {
  if (zip.entryCount > maxEntries) throwUnsafe()
  const budget = new Budget(zip.fileSize)
  const names = new Set<string>()
  for await (const entry of zip.eachEntry()) {
    // With decodeStrings off the library gives bytes where its types promise a string.
    const name = Buffer.from(entry.fileName as unknown as Buffer).toString('utf8')
    const mode = entry.externalFileAttributes >>> 16
    if (isUnsafeName(name) || (mode & fileTypeMask) === symlink || names.size >= maxEntries) throwUnsafe()
    budget.spend(entry.uncompressedSize, entry.uncompressedSize)
    names.add(name)
    await onEntry?.(name, entry)
  }
  return names
}

/** Far more than the list of a document with 2,000 parts needs. */
const maxContentTypesBytes = 1024 * 1024
export const contentTypesName = '[Content_Types].xml'

/** Returns whether the archive's list of parts names macros, as that of a .docm file does; true if it is too long. */
export async function declaresMacros(zip: ZipFile, contentTypes: Entry): Promise<boolean> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of (await zip.openReadStreamPromise(contentTypes)) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxContentTypesBytes) return true
    chunks.push(chunk)
  }
  // Without zero bytes, UTF-16 reads like ASCII.
  const types = Buffer.concat(chunks).toString('latin1').replaceAll('\0', '')
  return /ContentType\s*=\s*["'][^"']*(?:macroEnabled|vbaProject)/i.test(types)
}

/** Word names the body document.xml; Word for the web sometimes uses document2.xml. */
export function isWordBody(name: string): boolean {
  return /^word\/document\d{0,2}\.xml$/.test(name)
}

/** Parts of a Word document that are read, which excludes pictures, fonts and embedded files. */
function isReadPart(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name) && /^(?:word\/|_rels\/|\[Content_Types\])/.test(name)
}

/**
 * Unpacks every entry to check its real size, because the declared sizes may be false, and returns the parts that are
 * read. Those parts must not contain a DOCTYPE. Pictures may contain one in their metadata.
 */
export async function unpackEntries(zip: ZipFile): Promise<Map<string, Buffer>> {
  const budget = new Budget(zip.fileSize)
  const parts = new Map<string, Buffer>()
  await checkEntries(zip, async (name, entry) => {
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
    if (containsDoctype(part)) throw new ExtractionError('doctype')
    parts.set(name, part)
  })
  return parts
}
