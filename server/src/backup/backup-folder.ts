import { randomBytes } from 'node:crypto'
import type { ArchiveStore } from '#providers/archives/port.ts'
import { parseBackupTime } from './backup-names.ts'

async function listBackups(archives: ArchiveStore): Promise<{ name: string; at: number }[]> {
  return (await archives.list()).flatMap((name) => {
    const at = parseBackupTime(name)
    return at === null ? [] : [{ name, at }]
  })
}

/** Deletes all backups except those that `selectToKeep` selects. Leaves other files alone. */
export async function pruneBackups(
  archives: ArchiveStore,
  selectToKeep: (times: readonly number[]) => ReadonlySet<number>,
): Promise<void> {
  const backups = await listBackups(archives)
  const toKeep = selectToKeep(backups.map(({ at }) => at))
  for (const { name, at } of backups) if (!toKeep.has(at)) await archives.remove(name)
}

export async function countBackups(archives: ArchiveStore): Promise<number> {
  return (await listBackups(archives)).length
}

/** Throws if no backups can be written there. */
export async function tryArchives(archives: ArchiveStore): Promise<void> {
  const name = `lyceum-write-test-${randomBytes(6).toString('hex')}`
  const draft = await archives.begin(name)
  try {
    await draft.write(toChunks('test'))
    await draft.complete()
  } catch (error) {
    await draft.discard()
    throw error
  }
  await archives.remove(name)
}

async function* toChunks(content: string): AsyncIterable<Buffer> {
  yield Buffer.from(content)
}
