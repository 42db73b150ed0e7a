import { createWriteStream } from 'node:fs'
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { requireFreeSpace } from '../../files/disk-space.ts'
import { syncFolder } from '../../lib/whole-file.ts'
import { type ArchiveDraft, type ArchiveStore, TargetExists } from './port.ts'

const partialSuffix = '.partial'

/** The file that a draft is written to, and that a killed process leaves behind. */
export function getPartialPath(path: string, processId: number): string {
  return `${path}.${processId}${partialSuffix}`
}

const spaceCheckInterval = 32 * 1024 * 1024

/** A stream stage that fails when free disk space falls below the reserve for the database. */
function createDiskSpaceWatcher(folder: string) {
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

async function begin(folder: string, path: string): Promise<ArchiveDraft> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  requireFreeSpace(folder, 0)
  const partial = getPartialPath(path, process.pid)
  return {
    write: (content) =>
      pipeline(
        content,
        createDiskSpaceWatcher(folder),
        createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      ),
    async complete() {
      await rename(partial, path)
      await syncFolder(folder)
      return (await stat(path)).size
    },
    discard: () => rm(partial, { force: true }),
  }
}

/** Does nothing to the folder before an archive is written. */
export function createLocalArchives(folder: string): ArchiveStore {
  async function list(): Promise<string[]> {
    return readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  }
  function has(name: string): Promise<boolean> {
    return access(join(folder, name)).then(
      () => true,
      () => false,
    )
  }
  return {
    locate: (name) => join(folder, name),
    list,
    has,
    async begin(name) {
      const path = join(folder, name)
      if (await has(name)) throw new TargetExists(`There is already a file at ${path}.`)
      return begin(folder, path)
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    async discardAbandoned(isAbandoned) {
      for (const name of await list()) {
        if (!(name.startsWith('lyceum-') && name.endsWith(partialSuffix))) continue
        const found = await stat(join(folder, name)).catch(() => null)
        if (found && isAbandoned(found.mtimeMs)) await rm(join(folder, name), { force: true })
      }
    },
  }
}
