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
import { magicBytes, unseal } from './seal.ts'

export interface ArchivedEntry {
  name: string
  size: number
  /** Must be read to the end or not at all. */
  content: AsyncIterable<Buffer>
}

const kilobyte = 1024
/** Limits are well above what we write. */
const maxHeadBytes = 64 * kilobyte
const maxHashBytes = kilobyte
/** The manifest lists every file. This is enough for a million. */
const maxManifestBytes = 256 * kilobyte * kilobyte
const maxEntries = 2_000_000

export async function readWhole({ name, size, content }: ArchivedEntry, largest: number): Promise<Buffer> {
  if (size > largest) throw new ArchiveUnusable(`its ${name} is too large`)
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(magicBytes.length), 0, magicBytes.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  return magicBytes.equals(await readStart(path))
}

const readEntries = async function* (path: string, passphrase: string | null): AsyncIterable<ArchivedEntry> {
  const isSealed = await isEncrypted(path)
  if (isSealed && passphrase === null)
    throw new ArchiveUnusable('it is encrypted, so it needs the passphrase')
  const file = createReadStream(path)
  const source = isSealed && passphrase !== null ? Readable.from(unseal(passphrase)(file)) : file
  const tar = extract()
  // tar-stream uses its own stream classes, which behave like those of Node.
  const reading = pipeline(source, createGunzip(), tar as unknown as Writable)
  // The loop below throws the same error.
  reading.catch((error: Error) => tar.destroy(error))
  try {
    for await (const entry of tar) {
      if (entry.header.type !== 'file')
        throw new ArchiveUnusable(`its entry ${entry.header.name} is not a file`)
      const content = entry as unknown as AsyncIterable<Buffer>
      yield { name: entry.header.name, size: entry.header.size ?? 0, content }
    }
    await reading
  } finally {
    tar.destroy()
  }
}

function hasSameEntries(found: Manifest['entries'], { entries }: Manifest): boolean {
  return (
    found.length === entries.length &&
    entries.every(
      ({ name, size, sha256 }, at) =>
        found[at]?.name === name && found[at].size === size && found[at].sha256 === sha256,
    )
  )
}

interface ArchiveVisitor {
  /** Called for each entry between head and manifest. Content that it does not read is skipped. */
  entry?(entry: ArchivedEntry): Promise<void>
}

/** Hashes the content while the visitor reads it. `finish` reads the rest and returns the hash. */
function hashContent(entry: ArchivedEntry) {
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
    async finish(): Promise<Manifest['entries'][number]> {
      for await (const _ of content);
      return { name: entry.name, size, sha256: hash.digest('hex') }
    },
  }
}

async function walkArchive(
  path: string,
  passphrase: string | null,
  visitor: ArchiveVisitor,
): Promise<Manifest> {
  const seen: Manifest['entries'] = []
  let manifest: Buffer | null = null
  let isManifestVerified = false
  for await (const entry of readEntries(path, passphrase)) {
    if (isManifestVerified) throw new ArchiveUnusable('it has data after its end')
    if (manifest) {
      const hash = createHash('sha256').update(manifest).digest('hex')
      isManifestVerified =
        entry.name === manifestHashName && (await readWhole(entry, maxHashBytes)).toString() === hash
      if (!isManifestVerified) throw new ArchiveUnusable('its manifest was changed')
      continue
    }
    if (entry.name === manifestName) {
      manifest = await readWhole(entry, maxManifestBytes)
      continue
    }
    if (seen.length === maxEntries) throw new ArchiveUnusable('it contains too many entries')
    const { content, finish: finishHash } = hashContent(entry)
    if (seen.length === 0) {
      if (entry.name !== headName) throw new ArchiveUnusable('it is not a backup made by Lyceum')
      parseHead(await readWhole({ ...entry, content }, maxHeadBytes))
    } else await visitor.entry?.({ ...entry, content })
    seen.push(await finishHash())
  }
  if (!manifest || !isManifestVerified) throw new ArchiveUnusable('it is truncated: its manifest is missing')
  const read = parseManifest(manifest)
  if (!hasSameEntries(seen, read)) throw new ArchiveUnusable('an entry does not match its manifest')
  return read
}

/** Errors that mean the file is damaged. All others come from the visitor. */
const readFault =
  /^(Z_|ERR_ZLIB)|incorrect (header|data|length)|Invalid tar|Unexpected end|invalid (block|distance|stored|code|literal|bit|window)/i

/** Reads a whole archive and verifies it against its manifest. */
export async function readArchive(
  path: string,
  passphrase: string | null,
  visitor: ArchiveVisitor = {},
): Promise<Manifest> {
  try {
    return await walkArchive(path, passphrase, visitor)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const isReadError = readFault.test(code) || readFault.test(message)
    if (!isReadError) throw error
    throw new ArchiveUnusable(`it is damaged or truncated (${message})`, { cause: error })
  }
}

export function toStream(content: AsyncIterable<Buffer>): Readable {
  return Readable.from(content, { objectMode: false })
}
