import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { type Keys, makeKeys, newKey, readKeys, SecretsError, versionOfKeys } from './key-file.ts'

/** As they stand in the file at the moment of use: docs/operations.md, "Rotate keys". */
export interface Secrets {
  /** Signs session tokens. */
  readonly tokenKey: Uint8Array
  /** Still accepted for a day after a rotation. */
  readonly previousTokenKey: Uint8Array | null
  /** For what is stored only as a keyed hash: addresses in counters, one-time codes. */
  keyedHash: (purpose: string, value: string) => string
  /** For what must be read again but must not lie in the database in the clear: letters with links. */
  seal: (text: string) => string
  unseal: (sealed: string) => string
}

/** 32 random bytes for a link, a cookie or a key; base64url, 43 characters. */
export const randomToken = newKey

/** What is stored of a link's secret. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** How long tokens of the key before are accepted, in milliseconds: longer than any session lasts. */
export const previousKeyKept = 24 * 3_600_000

function seal(key: Uint8Array, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function unseal(key: Uint8Array, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

function bytesOf(value: string): Buffer {
  return Buffer.from(value, 'base64url')
}

function sealingKey(pepper: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', bytesOf(pepper), '', 'sealed letters', 32))
}

function ringOf({ tokenKey, previousTokenKey, pepper, previousPepper, rotation }: Keys) {
  return {
    tokenKey: bytesOf(tokenKey),
    previousTokenKey: previousTokenKey === undefined ? null : bytesOf(previousTokenKey),
    rotatedAt: rotation?.at ?? null,
    pepper: bytesOf(pepper),
    sealing: sealingKey(pepper),
    previousSealing: previousPepper === undefined ? null : sealingKey(previousPepper),
  }
}

/** Keeps the keys at hand and reads them anew when the file is another one. */
function keysIn(path: string) {
  let version = versionOfKeys(path)
  let ring = ringOf(readKeys(path))
  return () => {
    const there = versionOfKeys(path)
    if (there === null || there === version) return ring
    version = there
    try {
      ring = ringOf(readKeys(path))
    } catch (error) {
      // What runs goes on with what it has; the next start and `doctor` say what is wrong.
      if (!(error instanceof SecretsError)) throw error
    }
    return ring
  }
}

/** Reads the secrets, making them on the first start. What rotates them beside a running server is felt at once. */
export function loadSecrets(path: string, now: () => number = Date.now): Secrets {
  if (versionOfKeys(path) === null) makeKeys(path)
  const keys = keysIn(path)
  return {
    get tokenKey() {
      return keys().tokenKey
    },
    get previousTokenKey() {
      const { previousTokenKey, rotatedAt } = keys()
      return rotatedAt === null || now() < rotatedAt + previousKeyKept ? previousTokenKey : null
    },
    keyedHash: (purpose, value) =>
      createHmac('sha256', keys().pepper).update(`${purpose}|${value}`).digest('base64url'),
    seal: (text) => seal(keys().sealing, text),
    unseal(sealed) {
      const { sealing, previousSealing } = keys()
      try {
        return unseal(sealing, sealed)
      } catch (error) {
        if (previousSealing === null) throw error
        return unseal(previousSealing, sealed)
      }
    },
  }
}
