import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { createKeys, getKeyFileVersion, type Keys, newKey, readKeys, SecretsError } from './key-file.ts'

/** The current keys of the secrets file, even after a rotation: docs/operations.md, "Rotate keys". */
export interface Secrets {
  /** Signs session tokens. */
  readonly tokenKey: Uint8Array
  /** Accepted for a day after a rotation. */
  readonly previousTokenKey: Uint8Array | null
  /** For values that are stored only as a keyed hash: addresses in counters, one-time codes. */
  keyedHash: (purpose: string, value: string) => string
  /** Encrypts values that must not be in the database as plain text, such as emails with links. */
  seal: (text: string) => string
  unseal: (sealed: string) => string
}

/** 32 random bytes for a link, a cookie or a key; base64url, 43 characters. */
export const randomToken = newKey

/** The hash of the secret in a link. The database stores only the hash. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Milliseconds for which tokens of the previous key are accepted: longer than any session lasts. */
export const previousKeyLifetime = 24 * 3_600_000

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

function decodeKey(value: string): Buffer {
  return Buffer.from(value, 'base64url')
}

function deriveSealingKey(pepper: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', decodeKey(pepper), '', 'sealed letters', 32))
}

function toKeyRing({ tokenKey, previousTokenKey, pepper, previousPepper, rotation }: Keys) {
  return {
    tokenKey: decodeKey(tokenKey),
    previousTokenKey: previousTokenKey === undefined ? null : decodeKey(previousTokenKey),
    rotatedAt: rotation?.at ?? null,
    pepper: decodeKey(pepper),
    sealingKey: deriveSealingKey(pepper),
    previousSealingKey: previousPepper === undefined ? null : deriveSealingKey(previousPepper),
  }
}

/** Caches the keys and reads them again when the file has changed. */
function createKeyReader(path: string) {
  let version = getKeyFileVersion(path)
  let ring = toKeyRing(readKeys(path))
  return () => {
    const current = getKeyFileVersion(path)
    if (current === null || current === version) return ring
    version = current
    try {
      ring = toKeyRing(readKeys(path))
    } catch (error) {
      // A running server keeps its keys. The next start and `doctor` report the error.
      if (!(error instanceof SecretsError)) throw error
    }
    return ring
  }
}

/** Reads the secrets and creates them on the first start. A running server notices a rotation at once. */
export function loadSecrets(path: string, now: () => number = Date.now): Secrets {
  if (getKeyFileVersion(path) === null) createKeys(path)
  const readKeyRing = createKeyReader(path)
  return {
    get tokenKey() {
      return readKeyRing().tokenKey
    },
    get previousTokenKey() {
      const { previousTokenKey, rotatedAt } = readKeyRing()
      return rotatedAt === null || now() < rotatedAt + previousKeyLifetime ? previousTokenKey : null
    },
    keyedHash: (purpose, value) =>
      createHmac('sha256', readKeyRing().pepper).update(`${purpose}|${value}`).digest('base64url'),
    seal: (text) => seal(readKeyRing().sealingKey, text),
    unseal(sealed) {
      const { sealingKey, previousSealingKey } = readKeyRing()
      try {
        return unseal(sealingKey, sealed)
      } catch (error) {
        if (previousSealingKey === null) throw error
        return unseal(previousSealingKey, sealed)
      }
    },
  }
}
