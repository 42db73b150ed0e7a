import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithoutRecords, type Loading, loadRecords } from '#db/bulk-load.ts'
import { type DatabaseLocation, openDatabase } from '#db/client.ts'
import { knownSteps, migrate } from '#db/migrate.ts'
import { openSnapshot } from '#db/snapshot.ts'
import { createLocalFiles } from '#providers/files/local.ts'
import type { FileStore } from '#providers/files/port.ts'
import { audit } from '../features/audit/append.ts'
import { requireFreeSpace } from '../features/documents/free-space.ts'
import { loadSecrets } from '../secrets.ts'
import { ArchiveUnusable, filesFolder, type Manifest, recordsFolder, secretsName } from './archive-format.ts'
import {
  discardRestore,
  isRestoreLeftover,
  markFolder,
  putInPlace,
  type RestoreMarker,
  readMarker,
  restoringFolder,
} from './put-in-place.ts'
import { type ArchivedEntry, asStream, heldWhole, readArchive } from './read-archive.ts'
import { decodeRows } from './rows.ts'
import { voidOldKeys } from './void-old-keys.ts'
import { writeSecret } from './write-secret.ts'

export interface RestoreRequest {
  path: string
  passphrase: string | null
  /** The data folder, which the caller holds. */
  folder: string
  /** Where the records go when not into that folder. */
  postgres: string | null
  /** Moves what is in the folder aside. */
  replaces: boolean
  /** Names in the folder that are not of the installation: its backups. */
  alsoStays: readonly string[]
  /** False where the installation's secrets are elsewhere. */
  takesSecrets: boolean
  now: () => number
}

export interface Restored {
  manifest: Manifest
  /** Where what was there is now. */
  aside: string | null
  hasSecrets: boolean
}

/** The restore may not be done here; the message says why in one sentence. */
export class NotHere extends Error {}

const alwaysStays = ['lock.db', 'lock.db-journal', 'spool', 'lost+found']

const requireKnownSchema = ({ steps, app }: Manifest): string => {
  const last = steps.at(-1)
  if (last === undefined) throw new ArchiveUnusable('it holds no records')
  if (steps.some((step) => !knownSteps.includes(step)))
    throw new NotHere(
      `The backup was written by a newer version of Lyceum (${app}): please restore it with that version.`,
    )
  return last
}

const itemsIn = async (request: RestoreRequest): Promise<string[]> => {
  const stays = [...alwaysStays, ...request.alsoStays]
  return (await readdir(request.folder)).filter((name) => !stays.includes(name) && !isRestoreLeftover(name))
}

const requirePlace = async (request: RestoreRequest, { steps }: Manifest): Promise<void> => {
  if (!request.replaces && (await itemsIn(request)).length > 0)
    throw new NotHere(
      `${request.folder} is not empty. Name an empty folder in DATA_DIR, or give --replace: what is there is then kept beside.`,
    )
  if (request.postgres === null) return
  const there = await openSnapshot({ postgres: request.postgres, poolSize: 1 })
  try {
    // A restore that was broken off leaves its schema, and no rows.
    const isLater = there.steps.some((step) => !steps.includes(step))
    if (isLater || !(await isWithoutRecords(there)))
      throw new NotHere(
        'The database in DATABASE_URL is in use. Please name an empty one: the old one then stays as it is.',
      )
  } finally {
    await there.close()
  }
}

const requireRoom = (folder: string, { entries, fileBytes }: Manifest): Promise<void> => {
  const all = entries.reduce((sum, { size }) => sum + size, 0)
  // Records take up about twice their lines: the rows and their indexes.
  return requireFreeSpace(folder, fileBytes + 2 * (all - fileBytes))
}

interface Targets {
  loading: Loading
  files: FileStore
  secrets: string | null
}

/** Puts one entry where it belongs. */
const takeEntry = async (
  { loading, files, secrets }: Targets,
  manifest: Manifest,
  entry: ArchivedEntry,
): Promise<void> => {
  if (entry.name.startsWith(filesFolder)) {
    await files.putBack(entry.name.slice(filesFolder.length), asStream(entry.content))
  } else if (entry.name.startsWith(recordsFolder)) {
    const name = entry.name.split('/')[1]
    const archived = manifest.tables.find((table) => table.name === name)
    const table = loading.reader.tables.find((shape) => shape.name === name)
    const isSame = archived?.columns.toSorted().join() === table?.columns.toSorted().join()
    if (!archived || !table || table.leftOut || !isSame)
      throw new ArchiveUnusable(`its table ${name} is not one of this version`)
    const rows = decodeRows(archived, await heldWhole(entry))
    await loading.add({ ...table, columns: archived.columns }, rows)
  } else if (entry.name !== secretsName) throw new ArchiveUnusable(`it holds ${entry.name}`)
  else if (secrets !== null) await writeSecret(secrets, await heldWhole(entry))
}

/** Reads the archive a second time, into an empty schema of its step. */
const load = async (
  request: RestoreRequest,
  manifest: Manifest,
  location: DatabaseLocation,
  marking: RestoreMarker,
): Promise<void> => {
  const ready = join(request.folder, restoringFolder)
  const files = await createLocalFiles(join(ready, 'blobs'))
  const secrets = request.takesSecrets ? join(ready, secretsName) : null
  await loadRecords(location, async (loading) => {
    const read = await readArchive(request.path, request.passphrase, {
      entry: (entry) => takeEntry({ loading, files, secrets }, manifest, entry),
    })
    if (JSON.stringify(read) !== JSON.stringify(manifest))
      throw new ArchiveUnusable('it was changed while it was read')
    if (secrets !== null && existsSync(secrets)) loadSecrets(secrets)
    await voidOldKeys(loading, request.now())
    // Once the records are committed elsewhere, the files have to follow.
    if (request.postgres !== null) await markFolder(request.folder, marking)
  })
}

const schemaUpTo = async (location: DatabaseLocation, step?: string): Promise<void> => {
  const db = openDatabase(location)
  try {
    await migrate(db, step)
  } finally {
    await db.destroy()
  }
}

/** The steps that came after the backup, and the first entry after it. */
const completeRecords = async (
  { now }: RestoreRequest,
  location: DatabaseLocation,
  { madeAt, app, database, files }: Manifest,
): Promise<void> => {
  const db = openDatabase(location)
  try {
    await migrate(db)
    await db.transaction().execute((tx) =>
      audit({ now }, tx, {
        actor: null,
        action: 'backup.restored',
        after: { madeAt: new Date(madeAt).toISOString(), app, database, files },
      }),
    )
  } finally {
    await db.destroy()
  }
}

const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Restores a backup. Nothing is touched before all of it has been read and found whole; it is then made ready in a folder
 * of its own, and moved in at the end. A restore that is killed leaves the installation as it was, or one that says so.
 */
export const restore = async (request: RestoreRequest): Promise<Restored> => {
  const { folder, postgres } = request
  const manifest = await readArchive(request.path, request.passphrase)
  const step = requireKnownSchema(manifest)
  await requirePlace(request, manifest)
  await requireRoom(folder, manifest)
  const ready = join(folder, restoringFolder)
  await rm(ready, { recursive: true, force: true })
  await mkdir(ready, { mode: 0o700 })
  const location: DatabaseLocation =
    postgres === null ? { sqlite: join(ready, 'lyceum.db') } : { postgres, poolSize: 2 }
  const hasSecrets = request.takesSecrets && manifest.entries.some(({ name }) => name === secretsName)
  const stamp = new Date(request.now()).toISOString().replaceAll(':', '-').replace(/\.\d+/, '')
  const aside = (await itemsIn(request)).length > 0 ? `before-restore-${stamp}` : null
  const marking: RestoreMarker = {
    database: postgres === null ? 'sqlite' : 'postgres',
    aside,
    stays: [...alwaysStays, ...request.alsoStays, ...(hasSecrets ? [] : [secretsName])],
    phase: 'aside',
  }
  try {
    await schemaUpTo(location, step)
    await load(request, manifest, location, marking)
  } catch (error) {
    await discardRestore(folder)
    throw error
  }
  await completeRecords(request, location, manifest)
  if (postgres === null) {
    await syncFile(join(ready, 'lyceum.db'))
    await markFolder(folder, marking)
  }
  await putInPlace(folder, marking)
  return { manifest, aside: aside === null ? null : join(folder, aside), hasSecrets }
}

/** Goes on where a restore was broken off while things were put in place; false when it had not come that far. */
export const finishRestore = async (folder: string, postgres: string | null): Promise<boolean> => {
  const marking = await readMarker(folder)
  if (!marking) throw new NotHere(`No restore into ${folder} was broken off.`)
  if (marking.database === 'postgres' && postgres === null)
    throw new NotHere('That restore was into PostgreSQL: please set DATABASE_URL as it was then.')
  if (marking.database === 'postgres' && marking.phase === 'aside' && postgres !== null) {
    const there = await openSnapshot({ postgres, poolSize: 1 })
    const isEmpty = await isWithoutRecords(there).finally(() => there.close())
    if (isEmpty) {
      await discardRestore(folder)
      return false
    }
  }
  await putInPlace(folder, marking)
  return true
}
