import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import type { ArchiveStore } from '#providers/archives/port.ts'
import {
  archiveFormat,
  type Head,
  headName,
  type Manifest,
  manifestHashName,
  manifestName,
} from './archive-format.ts'
import { seal } from './seal.ts'

export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>
  /** Streams an entry and returns its hash. The stream must have exactly `size` bytes. */
  copy(name: string, size: number, content: Readable): Promise<string>
}

/** Fast rather than small: even this shrinks text to a third, and most documents are compressed already. */
const compression = { level: 1 }

function entryWriter(tar: ReturnType<typeof pack>, entries: Manifest['entries']): ArchiveWriter {
  function addEntry(name: string, size: number, sha256: string): string {
    entries.push({ name, size, sha256 })
    return sha256
  }
  return {
    async add(name, content) {
      await new Promise<void>((resolve, reject) => {
        tar.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()))
      })
      addEntry(name, content.length, createHash('sha256').update(content).digest('hex'))
    },
    async copy(name, size, content) {
      const hash = createHash('sha256')
      await new Promise<void>((resolve, reject) => {
        const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()))
        pipeline(
          content,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              hash.update(chunk)
              yield chunk
            }
          },
          entry,
        ).catch(reject)
      })
      return addEntry(name, size, hash.digest('hex'))
    },
  }
}

function passThrough(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return source
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

/** Waits until both ends of a stream have settled, then throws the first error, if any. */
async function waitForBoth<A, B>(
  one: Promise<A>,
  other: Promise<B>,
  stop: (error: Error) => void,
): Promise<[A, B]> {
  function stopping(error: unknown): never {
    stop(error as Error)
    throw error
  }
  const ends = Promise.all([one.catch(stopping), other.catch(stopping)])
  // Prevents an unhandled rejection while we still wait for the other end.
  ends.catch(() => undefined)
  await Promise.allSettled([one, other])
  return ends
}

type Rest = Omit<Manifest, keyof Head | 'entries'>

export interface ArchiveTarget {
  store: ArchiveStore
  name: string
  passphrase: string | null
}

/**
 * Writes an archive, which gets its name once it is complete. A failure leaves nothing behind. `fill` adds the entries
 * and returns the remaining fields of the manifest.
 */
export async function writeArchive(
  { store, name, passphrase }: ArchiveTarget,
  head: Omit<Head, 'format' | 'version'>,
  fill: (archive: ArchiveWriter) => Promise<Rest>,
): Promise<{ manifest: Manifest; bytes: number }> {
  const draft = await store.begin(name)
  const tar = pack()
  const packed = Readable.from(tar as unknown as AsyncIterable<Buffer>, { objectMode: false })
  const write = pipeline(
    packed,
    createGzip(compression),
    passphrase === null ? passThrough : seal(passphrase),
    (content: AsyncIterable<Buffer>) => draft.write(content),
  )
  const entries: Manifest['entries'] = []
  async function produce(): Promise<Manifest> {
    const archive = entryWriter(tar, entries)
    const full: Head = { format: 'lyceum-backup', version: archiveFormat, ...head }
    await archive.add(headName, json(full))
    const manifest = { ...full, ...(await fill(archive)), entries: [...entries] }
    await archive.add(manifestName, json(manifest))
    await archive.add(manifestHashName, Buffer.from(entries.at(-1)?.sha256 ?? ''))
    tar.finalize()
    return manifest
  }
  try {
    const [manifest] = await waitForBoth(produce(), write, (error) => tar.destroy(error))
    return { manifest, bytes: await draft.complete() }
  } catch (error) {
    await draft.discard()
    throw error
  }
}
