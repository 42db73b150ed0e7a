import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import {
  ArchiveUnusable,
  headName,
  type Manifest,
  manifestHashName,
  manifestName,
  parseHead,
  parseManifest,
} from './archive-format.ts'
import { sealMark, unseal } from './seal.ts'

export interface ArchivedEntry {
  name: string
  size: number
  /** Read whole, or not at all. */
  content: AsyncIterable<Buffer>
}

const kilobyte = 1024
/** Larger than what is written of them. */
const largestHead = 64 * kilobyte
const largestHash = kilobyte
/** It names every file: enough for a million. */
const largestManifest = 256 * kilobyte * kilobyte
const mostEntries = 2_000_000

export async function heldWhole({ name, size, content }: ArchivedEntry, largest: number): Promise<Buffer> {
  if (size > largest) throw new ArchiveUnusable(`its ${name} is too large`)
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(sealMark.length), 0, sealMark.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  return sealMark.equals(await beginningOf(path))
}

const entriesOf = async function* (path: string, passphrase: string | null): AsyncIterable<ArchivedEntry> {
  const isSealed = await isEncrypted(path)
  if (isSealed && passphrase === null)
    throw new ArchiveUnusable('it is encrypted, and no passphrase was given')
  const file = createReadStream(path)
  const source = isSealed && passphrase !== null ? Readable.from(unseal(passphrase)(file)) : file
  const tar = extract()
  // Its streams are of another make than Node's, with the same behaviour.
  const reading = pipeline(source, createGunzip(), tar as unknown as Writable)
  // What breaks the reading breaks the walk below too, which tells of it.
  reading.catch((error: Error) => tar.destroy(error))
  try {
    for await (const entry of tar) {
      if (entry.header.type !== 'file') throw new ArchiveUnusable(`its ${entry.header.name} is no file`)
      const content = entry as unknown as AsyncIterable<Buffer>
      yield { name: entry.header.name, size: entry.header.size ?? 0, content }
    }
    await reading
  } finally {
    tar.destroy()
  }
}

function sameEntries(found: Manifest['entries'], { entries }: Manifest): boolean {
  return (
    found.length === entries.length &&
    entries.every(
      ({ name, size, sha256 }, at) =>
        found[at]?.name === name && found[at].size === size && found[at].sha256 === sha256,
    )
  )
}

interface ArchiveVisitor {
  /** Each entry between the head and the manifest. What it leaves of the content is read for it. */
  entry?(entry: ArchivedEntry): Promise<void>
}

/** Hashes what passes; the rest that a visitor left is read afterwards. */
function hashed(entry: ArchivedEntry) {
  const hash = createHash('sha256')
  let size = 0
  const iterator = entry.content[Symbol.asyncIterator]()
  const content: AsyncIterable<Buffer> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const step = await iterator.next()
        if (!step.done) {
          hash.update(step.value)
          size += step.value.length
        }
        return step
      },
    }),
  }
  return {
    content,
    async seen(): Promise<Manifest['entries'][number]> {
      for await (const _ of content);
      return { name: entry.name, size, sha256: hash.digest('hex') }
    },
  }
}

async function walk(path: string, passphrase: string | null, visitor: ArchiveVisitor): Promise<Manifest> {
  const seen: Manifest['entries'] = []
  let manifest: Buffer | null = null
  let isProven = false
  for await (const entry of entriesOf(path, passphrase)) {
    if (isProven) throw new ArchiveUnusable('something follows its end')
    if (manifest) {
      const hash = createHash('sha256').update(manifest).digest('hex')
      isProven = entry.name === manifestHashName && (await heldWhole(entry, largestHash)).toString() === hash
      if (!isProven) throw new ArchiveUnusable('its manifest is not what was written')
      continue
    }
    if (entry.name === manifestName) {
      manifest = await heldWhole(entry, largestManifest)
      continue
    }
    if (seen.length === mostEntries) throw new ArchiveUnusable('it holds too many entries')
    const { content, seen: end } = hashed(entry)
    if (seen.length === 0) {
      if (entry.name !== headName) throw new ArchiveUnusable('it does not begin as a backup of Lyceum does')
      parseHead(await heldWhole({ ...entry, content }, largestHead))
    } else await visitor.entry?.({ ...entry, content })
    seen.push(await end())
  }
  if (!manifest || !isProven) throw new ArchiveUnusable('it is cut short: its manifest is missing')
  const read = parseManifest(manifest)
  if (!sameEntries(seen, read)) throw new ArchiveUnusable('an entry is not what its manifest says')
  return read
}

/** Faults of reading say that the file is no longer what was written; all others are the visitor's own. */
const faultOfReading =
  /^(Z_|ERR_ZLIB)|incorrect (header|data|length)|Invalid tar|Unexpected end|invalid (block|distance|stored|code|literal|bit|window)/i

/** Reads an archive from end to end and compares all of it with its manifest. */
export async function readArchive(
  path: string,
  passphrase: string | null,
  visitor: ArchiveVisitor = {},
): Promise<Manifest> {
  try {
    return await walk(path, passphrase, visitor)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const isOfReading = faultOfReading.test(code) || faultOfReading.test(message)
    if (!isOfReading) throw error
    throw new ArchiveUnusable(`it is damaged or cut short (${message})`, { cause: error })
  }
}

export function asStream(content: AsyncIterable<Buffer>): Readable {
  return Readable.from(content, { objectMode: false })
}
