import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

const key = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

const keyFile = z.object({
  /** Signs session tokens. */
  tokenKey: key,
  /** Tokens signed with this key remain valid for a day. */
  previousTokenKey: key.optional(),
  /** Used for keyed hashes and to encrypt emails. */
  pepper: key,
  /** Decrypts what was encrypted before the rotation. */
  previousPepper: key.optional(),
  /** The latest rotation. Until it is finished, the database may not have been updated. */
  rotation: z.object({ id: z.string(), at: z.int(), isFinished: z.boolean() }).optional(),
})
export type Keys = z.output<typeof keyFile>

/** The secrets cannot be used. The message says why in one sentence. */
export class SecretsError extends Error {}

export function newKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Writes and syncs the complete file under a temporary name. `publish` moves it to its final name. */
function writeKeys(path: string, keys: Keys, publish: (temporaryPath: string) => void): void {
  const temporaryPath = join(dirname(path), `.secrets-${newKey()}`)
  const file = openSync(temporaryPath, 'wx', 0o600)
  try {
    try {
      writeSync(file, `${JSON.stringify(keys, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    publish(temporaryPath)
  } catch (error) {
    unlinkSync(temporaryPath)
    throw error
  }
  // Windows cannot open a folder for syncing; its rename is journaled.
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/**
 * Creates the first keys. Linking the finished temporary file neither exposes a half-written file nor replaces an
 * existing one.
 */
export function createKeys(path: string): void {
  try {
    writeKeys(path, { tokenKey: newKey(), pepper: newKey() }, (temporaryPath) => {
      try {
        linkSync(temporaryPath, path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      unlinkSync(temporaryPath)
    })
  } catch (error) {
    throw new SecretsError(`${path} cannot be created: ${(error as Error).message}.`, { cause: error })
  }
}

/** Replaces the file atomically. */
export function replaceKeys(path: string, keys: Keys): void {
  const target = realpathSync(path)
  writeKeys(target, keys, (temporaryPath) => renameSync(temporaryPath, target))
}

/** Changes whenever the file changes; null if there is no file. */
export function getKeyFileVersion(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs} ${stats.size}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function readKeys(path: string): Keys {
  const { mode, uid } = statSync(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new SecretsError(`Other users can read ${path}. Run: chmod 600 ${path}`)
  if (process.getuid && uid !== process.getuid())
    throw new SecretsError(`${path} belongs to a different user than the one Lyceum runs as.`)
  const read = keyFile.safeParse(parseJson(readFileSync(path, 'utf8')))
  if (!read.success) throw new SecretsError(`${path} does not contain valid keys. Restore it from a backup.`)
  return read.data
}
