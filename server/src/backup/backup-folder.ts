import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseBackupTime } from './backup-names.ts'
import { partialSuffix } from './write-archive.ts'

/**
 * Creates the folder. Deletes the incomplete files of backups that were killed: those whose last change passes the
 * check. Another process may still be writing a newer one.
 */
export async function prepareBackupFolder(
  folder: string,
  isAbandoned: (changedAt: number) => boolean,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!(name.startsWith('lyceum-') && name.endsWith(partialSuffix))) continue
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && isAbandoned(found.mtimeMs)) await rm(join(folder, name), { force: true })
  }
}

/** Lists the backups; none if the folder does not exist yet. */
async function listBackups(folder: string): Promise<{ name: string; at: number }[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.flatMap((name) => {
    const at = parseBackupTime(name)
    return at === null ? [] : [{ name, at }]
  })
}

/** Deletes all backups except those that `selectToKeep` selects. Leaves other files alone. */
export async function pruneBackups(
  folder: string,
  selectToKeep: (times: readonly number[]) => ReadonlySet<number>,
): Promise<void> {
  const backups = await listBackups(folder)
  const toKeep = selectToKeep(backups.map(({ at }) => at))
  for (const { name, at } of backups) if (!toKeep.has(at)) await rm(join(folder, name), { force: true })
}

export async function countBackups(folder: string): Promise<number> {
  return (await listBackups(folder)).length
}

/** Throws if the folder is not writable. */
export async function tryBackupFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `lyceum-write-test-${randomBytes(6).toString('hex')}${partialSuffix}`)
  try {
    await writeFile(path, 'test', { mode: 0o600, flush: true })
  } finally {
    await rm(path, { force: true })
  }
}
