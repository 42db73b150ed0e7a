import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { timeOf } from './backup-names.ts'
import { partialSuffix } from './write-archive.ts'

/** Longer than a backup takes: another process may be writing one. */
const abandonedAfter = 24 * 3_600_000

export const prepareBackupFolder = async (folder: string, now: number): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!(name.startsWith('lyceum-') && name.endsWith(partialSuffix))) continue
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && now - found.mtimeMs > abandonedAfter) await rm(join(folder, name), { force: true })
  }
}

/** Removes our backups whose time is not among those to be kept; other files are nobody's business. */
export const pruneBackups = async (
  folder: string,
  kept: (times: readonly number[]) => ReadonlySet<number>,
): Promise<void> => {
  const backups = (await readdir(folder)).flatMap((name) => {
    const at = timeOf(name)
    return at === null ? [] : [{ name, at }]
  })
  const staying = kept(backups.map(({ at }) => at))
  for (const { name, at } of backups) if (!staying.has(at)) await rm(join(folder, name), { force: true })
}
