import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasNoRows, loadRows, type RowLoader } from '#db/bulk-load.ts'
import { type DatabaseLocation, openDatabase } from '#db/client.ts'
import { knownMigrations, migrateAt } from '#db/migrate.ts'
import { openSnapshot } from '#db/snapshot.ts'
import { openFiles } from '#providers/files/open-files.ts'
import type { BucketLocation, FileStore } from '#providers/files/port.ts'
import { audit } from '../features/audit/append.ts'
import { isSpool } from '../files/data-folder.ts'
import { requireFreeSpace } from '../files/disk-space.ts'
import { reserveName } from '../files/reserve.ts'
import { loadSecrets } from '../keys/secrets.ts'
import { ArchiveUnusable, fileEntry, type Manifest, recordsFolder, secretsName } from './archive-format.ts'
import { invalidateRestoredRows } from './invalidate-restored-rows.ts'
import {
  discardRestore,
  isRestoreLeftover,
  markFolder,
  moveIntoPlace,
  type RestoreMarker,
  readMarker,
  restoringFolder,
} from './move-into-place.ts'
import { type ArchivedEntry, readArchive, readWhole, toStream } from './read-archive.ts'
import { decodeRows } from './rows.ts'
import { findNewestRestore } from './store.ts'
import { writeSecret } from './write-secret.ts'

export interface RestoreRequest {
  path: string
  passphrase: string | null
  /** The data folder. The caller holds its lock. */
  folder: string
  /** The PostgreSQL database; null to restore into SQLite. */
  postgres: string | null
  /** The bucket for the files; null to restore them into the folder. */
  bucket: BucketLocation | null
  /** Whether to move the content of the folder aside, and to leave in the bucket what is there. */
  shouldReplace: boolean
  /** Names in the folder that do not belong to the installation, such as its backups. */
  namesToKeep: readonly string[]
  /** False if the secrets file is outside the data folder. */
  restoresSecrets: boolean
  now: () => number
}

export interface RestoreResult {
  manifest: Manifest
  /** The folder with the previous content; null if there was none. */
  aside: string | null
  hasSecrets: boolean
}

/** An error that the operator can resolve. The message says what is wrong in one sentence. */
export class OperatorError extends Error {}

const alwaysKeep = ['lock.db', 'lock.db-journal', reserveName, 'lost+found']

function requireKnownSchema({ steps, app }: Manifest): void {
  if (steps.length === 0) throw new ArchiveUnusable('it contains no rows')
  if (steps.some((step) => !knownMigrations.includes(step)))
    throw new OperatorError(
      `The backup was made by a newer version of Lyceum (${app}). Restore it with that version.`,
    )
}

async function listItems(request: RestoreRequest): Promise<string[]> {
  const excluded = [...alwaysKeep, ...request.namesToKeep]
  return (await readdir(request.folder)).filter(
    (name) => !excluded.includes(name) && !isSpool(name) && !isRestoreLeftover(name),
  )
}

/** Refuses when the backup itself lies in a path that the restore overwrites. */
function requireBackupOutsideTarget({ folder, namesToKeep }: RestoreRequest): void {
  const name = namesToKeep.find((nameToKeep) => /^(blobs|restoring|lyceum\.db)/.test(nameToKeep))
  if (name !== undefined)
    throw new OperatorError(
      `The backup or the backup folder is in ${join(folder, name)}, which the restore replaces. Move it elsewhere first.`,
    )
}

async function hasFiles(files: FileStore): Promise<boolean> {
  for await (const _ of files.list()) return true
  return false
}

/** Two installations must not share a folder in a bucket: each would remove the files of the other as orphans. */
async function requireEmptyBucket({ bucket, shouldReplace }: RestoreRequest): Promise<void> {
  if (bucket !== null && !shouldReplace && (await hasFiles(await openFiles(bucket))))
    throw new OperatorError(
      `The bucket ${bucket.bucket} already contains files. Set S3_PREFIX to an unused folder, or use --replace to keep them and add those of the backup.`,
    )
}

async function requireEmptyTarget(request: RestoreRequest, { steps }: Manifest): Promise<void> {
  if (!request.shouldReplace && (await listItems(request)).length > 0)
    throw new OperatorError(
      `${request.folder} is not empty. Set DATA_DIR to an empty folder, or use --replace to move its content aside.`,
    )
  await requireEmptyBucket(request)
  if (request.postgres === null) return
  const existing = await openSnapshot({ postgres: request.postgres, poolSize: 1 })
  try {
    // An interrupted restore leaves its schema, but no rows.
    const isLater = existing.steps.some((step) => !steps.includes(step))
    if (isLater || !(await hasNoRows(existing)))
      throw new OperatorError(
        'The database in DATABASE_URL is in use. Set DATABASE_URL to an empty database. The old one is not changed.',
      )
  } finally {
    await existing.close()
  }
}

function requireDiskSpace({ folder, bucket }: RestoreRequest, { entries, fileBytes }: Manifest): void {
  const all = entries.reduce((sum, { size }) => sum + size, 0)
  // Files for a bucket pass through the disk one by one.
  const stored = bucket === null ? fileBytes : entries.reduce((most, { size }) => Math.max(most, size), 0)
  // In the database, rows and their indexes take about twice the size of the JSON lines.
  requireFreeSpace(folder, stored + 2 * (all - fileBytes))
}

const maxSecretsBytes = 64 * 1024

interface Targets {
  loader: RowLoader
  files: FileStore
  secrets: string | null
  /** How many rows of each table have been loaded. */
  rows: Map<string, number>
}

async function restoreEntry(
  { loader, files, secrets, rows }: Targets,
  manifest: Manifest,
  entry: ArchivedEntry,
): Promise<void> {
  const [, key] = fileEntry.exec(entry.name) ?? []
  if (key !== undefined) {
    await files.restore(key, toStream(entry.content))
  } else if (entry.name.startsWith(recordsFolder)) {
    const name = entry.name.split('/')[1]
    const archived = manifest.tables.find((table) => table.name === name)
    const table = loader.reader.tables.find((shape) => shape.name === name)
    const isSame = archived?.columns.toSorted().join() === table?.columns.toSorted().join()
    if (!archived || !table || table.exclusionReason || !isSame)
      throw new ArchiveUnusable(`its table ${name} does not match this version`)
    for await (const some of decodeRows(archived, entry.content)) {
      await loader.add({ ...table, columns: archived.columns }, some)
      rows.set(archived.name, (rows.get(archived.name) ?? 0) + some.length)
    }
  } else if (entry.name !== secretsName)
    throw new ArchiveUnusable(`it contains the unknown entry ${entry.name}`)
  else if (secrets !== null) await writeSecret(secrets, await readWhole(entry, maxSecretsBytes))
}

/** Reads the archive a second time and loads it into an empty database at the same migration. */
async function loadArchive(
  request: RestoreRequest,
  manifest: Manifest,
  location: DatabaseLocation,
  marker: RestoreMarker,
): Promise<void> {
  const ready = join(request.folder, restoringFolder)
  const files = await openFiles(request.bucket ?? { folder: join(ready, 'blobs') })
  const secrets = request.restoresSecrets ? join(ready, secretsName) : null
  const rows = new Map<string, number>()
  await loadRows(location, async (loader) => {
    const read = await readArchive(request.path, request.passphrase, {
      entry: (entry) => restoreEntry({ loader, files, secrets, rows }, manifest, entry),
    })
    if (JSON.stringify(read) !== JSON.stringify(manifest))
      throw new ArchiveUnusable('it was changed during the restore')
    const other = manifest.tables.find((table) => (rows.get(table.name) ?? 0) !== table.rows)
    if (other) throw new ArchiveUnusable(`its number of rows in ${other.name} does not match its manifest`)
    if (secrets !== null && existsSync(secrets)) loadSecrets(secrets)
    await invalidateRestoredRows(loader, request.now())
    // Once PostgreSQL has committed, the files must be moved in too, so mark the folder before the commit.
    if (request.postgres !== null) await markFolder(request.folder, marker)
  })
}

type RestoredFrom = NonNullable<RestoreMarker['restored']>

/** Runs newer migrations and audits the restore. Skips what an earlier attempt has already done. */
async function completeDatabase(
  now: () => number,
  location: DatabaseLocation,
  { madeAt, ...facts }: RestoredFrom,
): Promise<void> {
  await migrateAt(location)
  const db = openDatabase(location)
  try {
    const after = { madeAt: new Date(madeAt).toISOString(), ...facts }
    if ((await findNewestRestore(db)) === JSON.stringify(after)) return
    await db
      .transaction()
      .execute((tx) => audit({ now }, tx, { actor: null, action: 'backup.restored', after }))
  } finally {
    await db.destroy()
  }
}

/** The connection may drop after PostgreSQL committed. Then the files must still be moved in. */
async function mayHaveCommitted({ folder, postgres }: RestoreRequest): Promise<boolean> {
  if (postgres === null || (await readMarker(folder)) === null) return false
  try {
    const existing = await openSnapshot({ postgres, poolSize: 1 })
    return !(await hasNoRows(existing).finally(() => existing.close()))
  } catch {
    // The database cannot be reached now; `--finish` checks again.
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

/** Two restores within one second must not move their old content into the same folder. */
function findFreeName(folder: string, name: string): string {
  let free = name
  for (let count = 2; existsSync(join(folder, free)); count += 1) free = `${name}-${count}`
  return free
}

/**
 * Restores a backup. Changes nothing before the whole backup has been read and verified. The content is then prepared in
 * a separate folder and moved in at the end. A restore that is killed leaves the installation either unchanged or marked
 * as incomplete.
 */
export async function restore(request: RestoreRequest): Promise<RestoreResult> {
  const { folder, postgres } = request
  const manifest = await readArchive(request.path, request.passphrase)
  requireKnownSchema(manifest)
  requireBackupOutsideTarget(request)
  await requireEmptyTarget(request, manifest)
  requireDiskSpace(request, manifest)
  const ready = join(folder, restoringFolder)
  await rm(ready, { recursive: true, force: true })
  await mkdir(ready, { mode: 0o700 })
  const location: DatabaseLocation =
    postgres === null ? { sqlite: join(ready, 'lyceum.db') } : { postgres, poolSize: 2 }
  const hasSecrets = request.restoresSecrets && manifest.entries.some(({ name }) => name === secretsName)
  const stamp = new Date(request.now()).toISOString().replaceAll(':', '-').replace(/\.\d+/, '')
  const aside = (await listItems(request)).length > 0 ? findFreeName(folder, `before-restore-${stamp}`) : null
  const { madeAt, app, database, files } = manifest
  const facts = { madeAt, app, database, files }
  const marker: RestoreMarker = {
    database: postgres === null ? 'sqlite' : 'postgres',
    aside,
    stays: [...alwaysKeep, ...request.namesToKeep, ...(hasSecrets ? [] : [secretsName])],
    phase: 'aside',
    restored: facts,
  }
  try {
    await migrateAt(location, manifest.steps)
    await loadArchive(request, manifest, location, marker)
    if (postgres === null) await completeDatabase(request.now, location, facts)
  } catch (error) {
    if (!(await mayHaveCommitted(request))) await discardRestore(folder)
    throw error
  }
  if (postgres !== null) await completeDatabase(request.now, location, facts)
  if (postgres === null) {
    await syncFile(join(ready, 'lyceum.db'))
    await markFolder(folder, marker)
  }
  await moveIntoPlace(folder, marker)
  return { manifest, aside: aside === null ? null : join(folder, aside), hasSecrets }
}

/**
 * Finishes a restore that was interrupted while moving files. If it was interrupted earlier, undoes it and returns
 * false.
 */
export async function finishRestore(
  folder: string,
  postgres: string | null,
  now: () => number,
): Promise<boolean> {
  const marker = await readMarker(folder)
  if (!marker) throw new OperatorError(`No restore into ${folder} was interrupted.`)
  if (marker.database === 'postgres' && postgres === null)
    throw new OperatorError('That restore was into PostgreSQL. Set DATABASE_URL to the same database.')
  if (marker.database === 'postgres' && marker.phase === 'aside' && postgres !== null) {
    const existing = await openSnapshot({ postgres, poolSize: 1 })
    const isEmpty = await hasNoRows(existing).finally(() => existing.close())
    if (isEmpty) {
      await discardRestore(folder)
      return false
    }
    if (marker.restored) await completeDatabase(now, { postgres, poolSize: 2 }, marker.restored)
  }
  await moveIntoPlace(folder, marker)
  return true
}
