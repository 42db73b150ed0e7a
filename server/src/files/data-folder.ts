import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { uuidv7 } from 'uuidv7'

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

export interface DataFolderLock {
  path: string
  release(): void
}

function openLock(path: string): DatabaseSync {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (process.platform !== 'win32') chmodSync(path, 0o700)
    return new DatabaseSync(join(path, 'lock.db'))
  } catch (error) {
    throw new DataFolderUnusable(`The data folder ${path} cannot be used: ${(error as Error).message}.`)
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
    if (!/locked|busy/i.test(String(error))) throw error
    throw new DataFolderInUse(`Another Lyceum server is already running on ${path}.`)
  }
  // Delete uploads that were incomplete when the last process ended.
  rmSync(join(path, 'spool'), { recursive: true, force: true })
  return { path, release: () => lock.close() }
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

/**
 * The id of this node in leases. It survives restarts: as only one server can use the folder, leases that carry this id
 * at startup belong to a process that has ended.
 */
export function readNodeId(path: string): string {
  const file = join(path, 'node-id')
  if (!existsSync(file)) writeFileSync(file, `${uuidv7()}\n`, { flag: 'wx', mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
