import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { timeOf } from './backup-names.ts'
import { partialSuffix } from './write-archive.ts'

/** Longer than a backup takes: another process may be writing one. */
const abandonedAfter = 24 * 3_600_000

export async function prepareBackupFolder(folder: string, now: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!(name.startsWith('lyceum-') && name.endsWith(partialSuffix))) continue
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && now - found.mtimeMs > abandonedAfter) await rm(join(folder, name), { force: true })
  }
}

/** Removes our backups whose time is not among those to be kept; other files are nobody's business. */
export async function pruneBackups(
  folder: string,
  kept: (times: readonly number[]) => ReadonlySet<number>,
): Promise<void> {
  const backups = (await readdir(folder)).flatMap((name) => {
    const at = timeOf(name)
    return at === null ? [] : [{ name, at }]
  })
  const staying = kept(backups.map(({ at }) => at))
  for (const { name, at } of backups) if (!staying.has(at)) await rm(join(folder, name), { force: true })
}

/** How many of our backups are there; none where there is no folder yet. */
export async function countBackups(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => timeOf(name) !== null).length
}

/** Throws when nothing can be put there. */
export async function tryBackupFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `lyceum-trial-${randomBytes(6).toString('hex')}${partialSuffix}`)
  try {
    await writeFile(path, 'a trial', { mode: 0o600, flush: true })
  } finally {
    await rm(path, { force: true })
  }
}
