import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'

const key = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

const secretsFile = z.object({ tokenKey: key, previousTokenKey: key.optional(), pepper: key })

export interface Secrets {
  /** Signs session tokens. */
  tokenKey: Uint8Array
  /** Still accepted for a day after a rotation. */
  previousTokenKey: Uint8Array | null
  /** For what is stored only as a keyed hash: addresses in counters, one-time codes. */
  keyedHash: (purpose: string, value: string) => string
  /** For what must be read again but must not lie in the database in the clear: letters with links. */
  seal: (text: string) => string
  unseal: (sealed: string) => string
}

/** The secrets cannot be used; the message says why in one sentence. */
export class SecretsError extends Error {}

/** 32 random bytes for a link, a cookie or a key; base64url, 43 characters. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a link's secret. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Written whole under another name and then linked, so that no half file is ever seen and none is replaced. */
const create = (path: string): void => {
  const draft = join(dirname(path), `.secrets-${randomToken()}`)
  const file = openSync(draft, 'wx', 0o600)
  writeSync(file, `${JSON.stringify({ tokenKey: randomToken(), pepper: randomToken() }, null, 2)}\n`)
  fsyncSync(file)
  closeSync(file)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

const sealing = (key: Uint8Array): Pick<Secrets, 'seal' | 'unseal'> => ({
  seal(text) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  },
  unseal(sealed) {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  },
})

/** Reads the secrets, making them on the first start. */
export const loadSecrets = (path: string): Secrets => {
  if (!exists(path)) create(path)
  const { mode, uid } = statSync(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new SecretsError(`${path} can be read by others. Please run: chmod 600 ${path}`)
  if (process.getuid && uid !== process.getuid())
    throw new SecretsError(`${path} belongs to another user than the one Lyceum runs as.`)
  const read = secretsFile.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (!read.success)
    throw new SecretsError(`${path} does not hold usable keys. Please restore it from a backup.`)
  const bytes = (value: string) => Buffer.from(value, 'base64url')
  const pepper = bytes(read.data.pepper)
  return {
    tokenKey: bytes(read.data.tokenKey),
    previousTokenKey: read.data.previousTokenKey ? bytes(read.data.previousTokenKey) : null,
    keyedHash: (purpose, value) =>
      createHmac('sha256', pepper).update(`${purpose}|${value}`).digest('base64url'),
    ...sealing(Buffer.from(hkdfSync('sha256', pepper, '', 'sealed letters', 32))),
  }
}
