import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDamaged } from '#db/is-damaged.ts'
import { writeWholeFile } from '#lib/whole-file.ts'

/** Another server is using the data folder. */
export class DataFolderInUse extends Error {}

/** The data folder cannot be created or opened. The message says why in one sentence. */
export class DataFolderUnusable extends Error {}

/** Exists in the data folder while a restore moves files into it. */
export const restoreMarker = 'restore-under-way.json'

/** An interrupted restore left the data folder incomplete. */
export class RestoreInterrupted extends Error {}

export function requireNoInterruptedRestore(path: string): void {
  if (existsSync(join(path, restoreMarker)))
    throw new RestoreInterrupted(
      `A restore into ${path} was interrupted. To finish it, run: npx lyceum restore --finish`,
    )
}

/**
 * The folder in the data folder for files that are being received, or are on their way into a bucket. It belongs to the
 * process that holds the lock.
 */
export const spoolName = 'spool'

const spoolPrefix = `${spoolName}-`
/** Longer than any command takes. */
const abandonedAfterMs = 24 * 3_600_000

/** Whether a name in the data folder is that of files on their way. */
export function isSpool(name: string): boolean {
  return name === spoolName || name.startsWith(spoolPrefix)
}

/** Calls `use` with a new folder in the data folder that belongs to this process, and deletes it afterwards. */
export async function withOwnSpool<R>(path: string, use: (spool: string) => Promise<R>): Promise<R> {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const spool = mkdtempSync(join(path, spoolPrefix))
  try {
    return await use(spool)
  } finally {
    rmSync(spool, { recursive: true, force: true })
  }
}

/** Deletes the folders of commands that were killed. Others may still be using theirs. */
function deleteAbandonedSpools(path: string): void {
  for (const name of readdirSync(path)) {
    if (!name.startsWith(spoolPrefix)) continue
    const spool = join(path, name)
    const changedAt = statSync(spool, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - changedAt > abandonedAfterMs) rmSync(spool, { recursive: true, force: true })
  }
}

const databaseFile = /\.db(-wal|-shm)?$/

export interface DataFolderLock {
  path: string
  release(): void
}

/** Makes every file that this process creates readable by its owner only: SQLite has no setting for that. */
export function keepNewFilesPrivate(): void {
  process.umask(0o077)
}

/** SQLite gives its logs the mode of their database. Other databases may be older than `keepNewFilesPrivate`. */
function restrictDatabaseFiles(path: string): void {
  for (const name of readdirSync(path)) if (databaseFile.test(name)) chmodSync(join(path, name), 0o600)
}

function openLock(path: string): DatabaseSync {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (process.platform !== 'win32') {
      chmodSync(path, 0o700)
      restrictDatabaseFiles(path)
    }
    return new DatabaseSync(join(path, 'lock.db'))
  } catch (error) {
    const { message } = error as Error
    throw new DataFolderUnusable(`The data folder ${path} cannot be used: ${message}.`, { cause: error })
  }
}

/**
 * Creates and locks the folder, so that no second server can start on it. The lock is an open exclusive transaction,
 * which the operating system releases however the process ends.
 */
export function lockDataFolder(path: string): DataFolderLock {
  const lock = openLock(path)
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isDamaged(error))
      throw new DataFolderUnusable(
        `The file ${join(path, 'lock.db')} is damaged. It contains no data: delete it, then start Lyceum again.`,
        { cause: error },
      )
    if (!/locked|busy/i.test(String(error))) throw error
    throw new DataFolderInUse(`Another Lyceum server is already running on ${path}.`)
  }
  function deleteSpool(): void {
    rmSync(join(path, spoolName), { recursive: true, force: true })
  }
  // Uploads that were incomplete when the last process was killed.
  deleteSpool()
  deleteAbandonedSpools(path)
  return {
    path,
    release() {
      deleteSpool()
      lock.close()
    },
  }
}

/** Returns whether a server is running on the folder. Takes no lock itself. */
export function isDataFolderLocked(path: string): boolean {
  const file = join(path, 'lock.db')
  if (!existsSync(file)) return false
  const lock = new DatabaseSync(file, { readOnly: true })
  try {
    lock.exec('PRAGMA busy_timeout = 0; SELECT count(*) FROM sqlite_master')
    return false
  } catch (error) {
    if (/locked|busy/i.test(String(error))) return true
    throw error
  } finally {
    lock.close()
  }
}

const nodeIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id in the leases of the server that used the folder last; null before the first start. As only one server can use
 * the folder, that server has ended, and what it left unfinished can be taken over.
 */
export function readLastNodeId(path: string): string | null {
  const file = join(path, 'node-id')
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  // A power cut during the first start may have left an empty file.
  return nodeIdPattern.test(stored) ? stored : null
}

/** Called once the work of the last server is taken over, and before this one begins any. */
export async function recordNodeId(path: string, nodeId: string): Promise<void> {
  await writeWholeFile(join(path, 'node-id'), `${nodeId}\n`)
}
