import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { syncFolder, writeWholeFile } from '#lib/whole-file.ts'
import { isSpool, restoreMarker } from '../files/data-folder.ts'

/** A restore is prepared inside the data folder, because that may be a mounted volume without a writable parent. */
export const restoringFolder = 'restoring'
const asideName = /^before-restore-/

const markerSchema = z.object({
  database: z.enum(['sqlite', 'postgres']),
  /** The folder for the previous content; null if there was none. */
  aside: z.string().nullable(),
  /** Names that are not moved. */
  stays: z.array(z.string()),
  phase: z.enum(['aside', 'in']),
  /** Facts about the backup, for the audit entry. */
  restored: z.optional(z.object({ madeAt: z.int(), app: z.string(), database: z.string(), files: z.int() })),
})
export type RestoreMarker = z.output<typeof markerSchema>

/** Marks the folder as incomplete until all files are in place. */
export function markFolder(folder: string, marker: RestoreMarker): Promise<void> {
  return writeWholeFile(join(folder, restoreMarker), `${JSON.stringify(marker)}\n`)
}

export async function readMarker(folder: string): Promise<RestoreMarker | null> {
  return existsSync(join(folder, restoreMarker))
    ? markerSchema.parse(JSON.parse(await readFile(join(folder, restoreMarker), 'utf8')))
    : null
}

export function isRestoreLeftover(name: string): boolean {
  return name === restoringFolder || name.startsWith(restoreMarker) || asideName.test(name)
}

export async function discardRestore(folder: string): Promise<void> {
  await rm(join(folder, restoringFolder), { recursive: true, force: true })
  await rm(join(folder, restoreMarker), { force: true })
  await syncFolder(folder)
}

async function moveAll(from: string, to: string, names: readonly string[]): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  // Move the database last, because a folder without one does not count as an installation.
  const inOrder = names.toSorted((a, b) => Number(/\.db/.test(a)) - Number(/\.db/.test(b)))
  for (const name of inOrder) await rename(join(from, name), join(to, name))
  await syncFolder(from)
  await syncFolder(to)
}

/** Moves the old content aside and the new content in. If it is interrupted anywhere, call it again. */
export async function moveIntoPlace(folder: string, marker: RestoreMarker): Promise<void> {
  const { aside, stays, phase } = marker
  if (phase === 'aside') {
    const names = await readdir(folder)
    const old = names.filter((name) => !stays.includes(name) && !isSpool(name) && !isRestoreLeftover(name))
    if (aside !== null) await moveAll(folder, join(folder, aside), old)
    await markFolder(folder, { ...marker, phase: 'in' })
  }
  const ready = join(folder, restoringFolder)
  if (existsSync(ready)) await moveAll(ready, folder, await readdir(ready))
  await discardRestore(folder)
}
