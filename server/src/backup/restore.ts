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
import { requireFreeSpace } from '../files/disk-space.ts'
import { loadSecrets } from '../keys/secrets.ts'
import { ArchiveUnusable, fileEntry, type Manifest, recordsFolder, secretsName } from './archive-format.ts'
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
import { newestRestore } from './store.ts'
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
export class OperatorError extends Error {}

const alwaysStays = ['lock.db', 'lock.db-journal', 'spool', 'lost+found']

function requireKnownSchema({ steps, app }: Manifest): string {
  const last = steps.at(-1)
  if (last === undefined) throw new ArchiveUnusable('it holds no records')
  if (steps.some((step) => !knownSteps.includes(step)))
    throw new OperatorError(
      `The backup was written by a newer version of Lyceum (${app}): please restore it with that version.`,
    )
  return last
}

async function itemsIn(request: RestoreRequest): Promise<string[]> {
  const stays = [...alwaysStays, ...request.alsoStays]
  return (await readdir(request.folder)).filter((name) => !stays.includes(name) && !isRestoreLeftover(name))
}

/** What a restore puts in place cannot stay where it is. */
function requireNothingInTheWay({ folder, alsoStays }: RestoreRequest): void {
  const name = alsoStays.find((stays) => /^(blobs|restoring|lyceum\.db)/.test(stays))
  if (name !== undefined)
    throw new OperatorError(
      `The backup, or the folder of backups, lies in ${join(folder, name)}, which the restore replaces: please move it elsewhere.`,
    )
}

async function requirePlace(request: RestoreRequest, { steps }: Manifest): Promise<void> {
  if (!request.replaces && (await itemsIn(request)).length > 0)
    throw new OperatorError(
      `${request.folder} is not empty. Name an empty folder in DATA_DIR, or give --replace: what is there is then kept beside.`,
    )
  if (request.postgres === null) return
  const there = await openSnapshot({ postgres: request.postgres, poolSize: 1 })
  try {
    // A restore that was broken off leaves its schema, and no rows.
    const isLater = there.steps.some((step) => !steps.includes(step))
    if (isLater || !(await isWithoutRecords(there)))
      throw new OperatorError(
        'The database in DATABASE_URL is in use. Please name an empty one: the old one then stays as it is.',
      )
  } finally {
    await there.close()
  }
}

function requireRoom(folder: string, { entries, fileBytes }: Manifest): Promise<void> {
  const all = entries.reduce((sum, { size }) => sum + size, 0)
  // Records take up about twice their lines: the rows and their indexes.
  return requireFreeSpace(folder, fileBytes + 2 * (all - fileBytes))
}

/** Of a file with a few keys. */
const largestSecrets = 64 * 1024

interface Targets {
  loading: Loading
  files: FileStore
  secrets: string | null
  /** Of each table, as many as have arrived. */
  rows: Map<string, number>
}

/** Puts one entry where it belongs. */
async function takeEntry(
  { loading, files, secrets, rows }: Targets,
  manifest: Manifest,
  entry: ArchivedEntry,
): Promise<void> {
  const [, key] = fileEntry.exec(entry.name) ?? []
  if (key !== undefined) {
    await files.putBack(key, asStream(entry.content))
  } else if (entry.name.startsWith(recordsFolder)) {
    const name = entry.name.split('/')[1]
    const archived = manifest.tables.find((table) => table.name === name)
    const table = loading.reader.tables.find((shape) => shape.name === name)
    const isSame = archived?.columns.toSorted().join() === table?.columns.toSorted().join()
    if (!archived || !table || table.leftOut || !isSame)
      throw new ArchiveUnusable(`its table ${name} is not one of this version`)
    for await (const some of decodeRows(archived, entry.content)) {
      await loading.add({ ...table, columns: archived.columns }, some)
      rows.set(archived.name, (rows.get(archived.name) ?? 0) + some.length)
    }
  } else if (entry.name !== secretsName) throw new ArchiveUnusable(`it holds ${entry.name}`)
  else if (secrets !== null) await writeSecret(secrets, await heldWhole(entry, largestSecrets))
}

/** Reads the archive a second time, into an empty schema of its step. */
async function load(
  request: RestoreRequest,
  manifest: Manifest,
  location: DatabaseLocation,
  marking: RestoreMarker,
): Promise<void> {
  const ready = join(request.folder, restoringFolder)
  const files = await createLocalFiles(join(ready, 'blobs'))
  const secrets = request.takesSecrets ? join(ready, secretsName) : null
  const rows = new Map<string, number>()
  await loadRecords(location, async (loading) => {
    const read = await readArchive(request.path, request.passphrase, {
      entry: (entry) => takeEntry({ loading, files, secrets, rows }, manifest, entry),
    })
    if (JSON.stringify(read) !== JSON.stringify(manifest))
      throw new ArchiveUnusable('it was changed while it was read')
    const other = manifest.tables.find((table) => (rows.get(table.name) ?? 0) !== table.rows)
    if (other) throw new ArchiveUnusable(`it holds another number of ${other.name} than its manifest says`)
    if (secrets !== null && existsSync(secrets)) loadSecrets(secrets)
    await voidOldKeys(loading, request.now())
    // Once the records are committed elsewhere, the files have to follow.
    if (request.postgres !== null) await markFolder(request.folder, marking)
  })
}

async function schemaUpTo(location: DatabaseLocation, step?: string): Promise<void> {
  const db = openDatabase(location)
  try {
    await migrate(db, step)
  } finally {
    await db.destroy()
  }
}

type Facts = NonNullable<RestoreMarker['restored']>

/** The steps that came after the backup, and the first entry after it; what is there already is not done again. */
async function completeRecords(
  now: () => number,
  location: DatabaseLocation,
  { madeAt, ...facts }: Facts,
): Promise<void> {
  const db = openDatabase(location)
  try {
    await migrate(db)
    const after = { madeAt: new Date(madeAt).toISOString(), ...facts }
    if ((await newestRestore(db)) === JSON.stringify(after)) return
    await db
      .transaction()
      .execute((tx) => audit({ now }, tx, { actor: null, action: 'backup.restored', after }))
  } finally {
    await db.destroy()
  }
}

/** The line may be lost after a database has committed: then the files have to follow the records. */
async function mayHaveArrived({ folder, postgres }: RestoreRequest): Promise<boolean> {
  if (postgres === null || (await readMarker(folder)) === null) return false
  try {
    const there = await openSnapshot({ postgres, poolSize: 1 })
    return !(await isWithoutRecords(there).finally(() => there.close()))
  } catch {
    // It cannot be asked now; `--finish` asks again.
    return true
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Two restores within a second must not put their leavings into one folder. */
function freeName(folder: string, name: string): string {
  let free = name
  for (let count = 2; existsSync(join(folder, free)); count += 1) free = `${name}-${count}`
  return free
}

/**
 * Restores a backup. Nothing is touched before all of it has been read and found whole; it is then made ready in a folder
 * of its own, and moved in at the end. A restore that is killed leaves the installation as it was, or one that says so.
 */
export async function restore(request: RestoreRequest): Promise<Restored> {
  const { folder, postgres } = request
  const manifest = await readArchive(request.path, request.passphrase)
  const step = requireKnownSchema(manifest)
  requireNothingInTheWay(request)
  await requirePlace(request, manifest)
  await requireRoom(folder, manifest)
  const ready = join(folder, restoringFolder)
  await rm(ready, { recursive: true, force: true })
  await mkdir(ready, { mode: 0o700 })
  const location: DatabaseLocation =
    postgres === null ? { sqlite: join(ready, 'lyceum.db') } : { postgres, poolSize: 2 }
  const hasSecrets = request.takesSecrets && manifest.entries.some(({ name }) => name === secretsName)
  const stamp = new Date(request.now()).toISOString().replaceAll(':', '-').replace(/\.\d+/, '')
  const aside = (await itemsIn(request)).length > 0 ? freeName(folder, `before-restore-${stamp}`) : null
  const { madeAt, app, database, files } = manifest
  const facts = { madeAt, app, database, files }
  const marking: RestoreMarker = {
    database: postgres === null ? 'sqlite' : 'postgres',
    aside,
    stays: [...alwaysStays, ...request.alsoStays, ...(hasSecrets ? [] : [secretsName])],
    phase: 'aside',
    restored: facts,
  }
  try {
    await schemaUpTo(location, step)
    await load(request, manifest, location, marking)
    if (postgres === null) await completeRecords(request.now, location, facts)
  } catch (error) {
    if (!(await mayHaveArrived(request))) await discardRestore(folder)
    throw error
  }
  if (postgres !== null) await completeRecords(request.now, location, facts)
  if (postgres === null) {
    await syncFile(join(ready, 'lyceum.db'))
    await markFolder(folder, marking)
  }
  await putInPlace(folder, marking)
  return { manifest, aside: aside === null ? null : join(folder, aside), hasSecrets }
}

/** Goes on where a restore was broken off while things were put in place; false when it had not come that far. */
export async function finishRestore(
  folder: string,
  postgres: string | null,
  now: () => number,
): Promise<boolean> {
  const marking = await readMarker(folder)
  if (!marking) throw new OperatorError(`No restore into ${folder} was broken off.`)
  if (marking.database === 'postgres' && postgres === null)
    throw new OperatorError('That restore was into PostgreSQL: please set DATABASE_URL as it was then.')
  if (marking.database === 'postgres' && marking.phase === 'aside' && postgres !== null) {
    const there = await openSnapshot({ postgres, poolSize: 1 })
    const isEmpty = await isWithoutRecords(there).finally(() => there.close())
    if (isEmpty) {
      await discardRestore(folder)
      return false
    }
    if (marking.restored) await completeRecords(now, { postgres, poolSize: 2 }, marking.restored)
  }
  await putInPlace(folder, marking)
  return true
}
