import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileStore, StoredFile } from './port.ts'

const keyForm = /^[0-9a-f]{40}$/
/** Longer than any upload may take, in milliseconds: another process may be writing here too. */
const abandonedAfter = 3_600_000

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder for syncing; its rename is journaled.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** What a process that was killed had not finished writing. */
async function removeAbandoned(incoming: string): Promise<void> {
  for await (const { name } of await opendir(incoming)) {
    const found = await stat(join(incoming, name)).catch(() => null)
    if (found && Date.now() - found.mtimeMs > abandonedAfter) await unlink(join(incoming, name))
  }
}

/**
 * Files in a folder. A file gets its name only when it is whole and on disk: written under another name, synced,
 * renamed, and the folder synced; so a key that was given out always opens.
 */
export async function createLocalFiles(root: string): Promise<FileStore> {
  const incoming = join(root, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await removeAbandoned(incoming)

  function folderOf(key: string): string {
    return join(root, key.slice(0, 2))
  }
  function pathOf(key: string): string {
    if (!keyForm.test(key)) throw new Error('not a file key')
    return join(folderOf(key), key)
  }

  async function write(draft: string, content: Readable): Promise<Omit<StoredFile, 'key'>> {
    const hash = createHash('sha256')
    let size = 0
    const file = await open(draft, 'wx', 0o600)
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk)
        size += chunk.length
        await file.writeFile(chunk)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    return { size, sha256: hash.digest('hex') }
  }

  async function store(key: string, content: Readable): Promise<StoredFile> {
    const draft = join(incoming, key)
    try {
      const written = await write(draft, content)
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 })
      await rename(draft, pathOf(key))
      await syncFolder(folderOf(key))
      await syncFolder(root)
      return { key, ...written }
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      throw error
    }
  }

  return {
    put: (content) => store(randomBytes(20).toString('hex'), content),
    async putBack(key, content) {
      // The draft bears the key's name too, and a backup may hold anything.
      pathOf(key)
      return store(key, content)
    },
    async open(key, range) {
      const stream = createReadStream(pathOf(key), range)
      await new Promise<void>((resolve, reject) => {
        stream.once('open', () => resolve())
        stream.once('error', reject)
      })
      return stream
    },
    async size(key) {
      // What cannot be the name of a file is the name of none.
      if (!keyForm.test(key)) return null
      const found = await stat(pathOf(key)).catch(() => null)
      return found?.size ?? null
    },
    async remove(key) {
      await unlink(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    async *list() {
      for await (const folder of await opendir(root)) {
        if (!folder.isDirectory() || folder.name === 'incoming') continue
        for await (const entry of await opendir(join(root, folder.name))) {
          const found = await stat(join(root, folder.name, entry.name)).catch(() => null)
          if (found?.isFile()) yield { key: entry.name, size: found.size, modifiedAt: found.mtimeMs }
        }
      }
    },
  }
}
