import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { uuidv7 } from 'uuidv7'

/** Another server holds the data folder. */
export class DataFolderInUse extends Error {}

/** The data folder can be neither made nor opened; the message says why in one sentence. */
export class DataFolderUnusable extends Error {}

/** In the folder while a restore puts things in place. */
export const restoreMarker = 'restore-under-way.json'

/** The data folder is not whole. */
export class RestoreBrokenOff extends Error {}

export function requireWholeFolder(path: string): void {
  if (existsSync(join(path, restoreMarker)))
    throw new RestoreBrokenOff(
      `A restore into ${path} was broken off. Please run: npx lyceum restore --finish`,
    )
}

export interface DataFolder {
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
 * Makes the folder and holds it: of two servers on one folder the second must not start. The lock is an open
 * exclusive transaction, which the system drops however the process ends.
 */
export function holdDataFolder(path: string): DataFolder {
  const lock = openLock(path)
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!/locked|busy/i.test(String(error))) throw error
    throw new DataFolderInUse(`Another Lyceum server is already running on ${path}.`)
  }
  // What was being received when the last process ended.
  rmSync(join(path, 'spool'), { recursive: true, force: true })
  return { path, release: () => lock.close() }
}

/** Whether a server runs on the folder; only looks, and so may be asked beside one. */
export function isDataFolderHeld(path: string): boolean {
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
 * Names the node that this folder belongs to, in leases. It outlives the process: since one server holds the folder, what
 * its node was working on when it starts again is work that nobody is doing.
 */
export function nodeIdOf(path: string): string {
  const file = join(path, 'node-id')
  if (!existsSync(file)) writeFileSync(file, `${uuidv7()}\n`, { flag: 'wx', mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
