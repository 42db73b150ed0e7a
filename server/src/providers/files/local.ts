import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, opendir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '../../lib/whole-file.ts'
import { type FileStore, fileKeyPattern, type StoredFile } from './port.ts'
import { writeContent } from './write-content.ts'

/** Longer than any upload takes, because another process may be writing into the same folder. */
const abandonedAfterMs = 3_600_000

/** Removes files that a killed process left unfinished. */
async function removeAbandonedUploads(incoming: string): Promise<void> {
  for await (const { name } of await opendir(incoming)) {
    const stats = await stat(join(incoming, name)).catch(() => null)
    if (stats && Date.now() - stats.mtimeMs > abandonedAfterMs) await unlink(join(incoming, name))
  }
}

/**
 * Stores files in a folder. A file is written under a temporary name, synced and renamed, and then the folder is synced.
 * A returned key therefore always refers to a complete file.
 */
export async function createLocalFiles(root: string): Promise<FileStore> {
  const incoming = join(root, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await removeAbandonedUploads(incoming)

  function getFolder(key: string): string {
    return join(root, key.slice(0, 2))
  }
  function getPath(key: string): string {
    if (!fileKeyPattern.test(key)) throw new Error('invalid file key')
    return join(getFolder(key), key)
  }

  async function store(key: string, content: Readable): Promise<StoredFile> {
    const temporaryPath = join(incoming, key)
    try {
      const written = await writeContent(temporaryPath, content, { sync: true })
      await mkdir(getFolder(key), { recursive: true, mode: 0o700 })
      await rename(temporaryPath, getPath(key))
      await syncFolder(getFolder(key))
      await syncFolder(root)
      return { key, ...written }
    } catch (error) {
      await unlink(temporaryPath).catch(() => undefined)
      throw error
    }
  }

  return {
    put: (content) => store(randomBytes(20).toString('hex'), content),
    async restore(key, content) {
      // Validates the key, because the temporary file is named after it and a backup may contain any name.
      getPath(key)
      return store(key, content)
    },
    async open(key, range) {
      const stream = createReadStream(getPath(key), range)
      await new Promise<void>((resolve, reject) => {
        stream.once('open', () => resolve())
        stream.once('error', reject)
      })
      return stream
    },
    async size(key) {
      // An invalid key cannot belong to a file.
      if (!fileKeyPattern.test(key)) return null
      const stats = await stat(getPath(key)).catch(() => null)
      return stats?.size ?? null
    },
    async remove(key) {
      await unlink(getPath(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    async *list() {
      for await (const folder of await opendir(root)) {
        if (!folder.isDirectory() || folder.name === 'incoming') continue
        for await (const entry of await opendir(join(root, folder.name))) {
          if (!fileKeyPattern.test(entry.name)) continue
          const stats = await stat(getPath(entry.name)).catch(() => null)
          if (stats?.isFile()) yield { key: entry.name, size: stats.size, modifiedAt: stats.mtimeMs }
        }
      }
    },
  }
}
