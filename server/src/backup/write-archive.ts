import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { syncFolder } from '#lib/whole-file.ts'
import { requireFreeSpace } from '../files/disk-space.ts'
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

/** The target file already exists. */
export class TargetExists extends Error {}

/** Suffix of the file that a killed backup leaves beside its target. */
export const partialSuffix = '.partial'

export function getPartialPath(path: string, processId: number): string {
  return `${path}.${processId}${partialSuffix}`
}

/** Fast rather than small: even this shrinks text to a third, and most documents are compressed already. */
const compression = { level: 1 }

const spaceCheckInterval = 32 * 1024 * 1024

/**
 * A stream stage that fails when free disk space falls below the reserve for the database. Also checks once at the
 * start.
 */
function createDiskSpaceWatcher(folder: string) {
  requireFreeSpace(folder, 0)
  return async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let unchecked = 0
    for await (const chunk of source) {
      unchecked += chunk.length
      if (unchecked > spaceCheckInterval) {
        unchecked = 0
        requireFreeSpace(folder, spaceCheckInterval)
      }
      yield chunk
    }
  }
}

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

/**
 * Writes an archive under a temporary name, syncs and renames it, so that a file with the final name is complete. A
 * failure leaves nothing behind. `fill` adds the entries and returns the remaining fields of the manifest.
 */
export async function writeArchive(
  target: { path: string; passphrase: string | null },
  head: Omit<Head, 'format' | 'version'>,
  fill: (archive: ArchiveWriter) => Promise<Rest>,
): Promise<{ manifest: Manifest; bytes: number }> {
  const { path, passphrase } = target
  const taken = await access(path).then(
    () => true,
    () => false,
  )
  if (taken) throw new TargetExists(`There is already a file at ${path}.`)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = getPartialPath(path, process.pid)
  const watchSpace = createDiskSpaceWatcher(dirname(path))
  const tar = pack()
  const packed = Readable.from(tar as unknown as AsyncIterable<Buffer>, { objectMode: false })
  const write = pipeline(
    packed,
    createGzip(compression),
    passphrase === null ? passThrough : seal(passphrase),
    watchSpace,
    createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
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
    await rename(partial, path)
    await syncFolder(dirname(path))
    return { manifest, bytes: (await stat(path)).size }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
