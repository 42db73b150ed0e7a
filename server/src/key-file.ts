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
  /** The one before, whose tokens are still good for a day. */
  previousTokenKey: key.optional(),
  /** Of keyed hashes, and of what is sealed. */
  pepper: key,
  /** Opens what was sealed before. */
  previousPepper: key.optional(),
  /** The newest change of the keys. One that is not finished has yet to reach the records. */
  rotation: z.object({ id: z.string(), at: z.int(), isFinished: z.boolean() }).optional(),
})
export type Keys = z.output<typeof keyFile>

/** The secrets cannot be used; the message says why in one sentence. */
export class SecretsError extends Error {}

export function newKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Written whole under another name and synced; `publish` gives it its own. */
function write(path: string, keys: Keys, publish: (draft: string) => void): void {
  const draft = join(dirname(path), `.secrets-${newKey()}`)
  const file = openSync(draft, 'wx', 0o600)
  try {
    try {
      writeSync(file, `${JSON.stringify(keys, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    publish(draft)
  } catch (error) {
    unlinkSync(draft)
    throw error
  }
  // Windows cannot open a folder for syncing; its rename is journaled.
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** The first keys. Linked, so that no half file is ever seen and none is replaced. */
export function makeKeys(path: string): void {
  try {
    write(path, { tokenKey: newKey(), pepper: newKey() }, (draft) => {
      try {
        linkSync(draft, path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      unlinkSync(draft)
    })
  } catch (error) {
    throw new SecretsError(`${path} cannot be made: ${(error as Error).message}.`)
  }
}

/** At any instant the file is there, with the keys before or with these. */
export function replaceKeys(path: string, keys: Keys): void {
  const place = realpathSync(path)
  write(place, keys, (draft) => renameSync(draft, place))
}

/** Another text for another content; null where there is no file. */
export function versionOfKeys(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.ino} ${found.mtimeNs} ${found.size}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function readKeys(path: string): Keys {
  const { mode, uid } = statSync(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new SecretsError(`${path} can be read by others. Please run: chmod 600 ${path}`)
  if (process.getuid && uid !== process.getuid())
    throw new SecretsError(`${path} belongs to another user than the one Lyceum runs as.`)
  const read = keyFile.safeParse(parsed(readFileSync(path, 'utf8')))
  if (!read.success)
    throw new SecretsError(`${path} does not hold usable keys. Please restore it from a backup.`)
  return read.data
}
