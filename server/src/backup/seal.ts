import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { ArchiveUnusable } from './archive-format.ts'

// Encrypts an archive in numbered frames and marks the last one. Memory use stays constant, and a frame that was
// changed, moved, repeated or removed is rejected before its content is used.

export const magicBytes = Buffer.from('LYCEUMB1')
const saltLength = 16
const frameLength = 64 * 1024
const tagLength = 16
/** One guess at the passphrase costs 32 MiB and about a third of a second. */
const scryptCost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, scryptCost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

function createNonce(frame: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(frame, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

type Bytes = AsyncIterable<Buffer>

/** Splits a stream into pieces of equal length and marks the last one. Yields at least one piece. */
async function* splitStream(
  source: Bytes,
  length: number,
): AsyncIterable<{ piece: Buffer; isLast: boolean }> {
  let pending: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    pending.push(chunk)
    size += chunk.length
    if (size <= length) continue
    let rest = Buffer.concat(pending)
    // Yield a full piece only when more bytes follow, because the last piece must be marked.
    for (; rest.length > length; rest = rest.subarray(length))
      yield { piece: rest.subarray(0, length), isLast: false }
    pending = [rest]
    size = rest.length
  }
  yield { piece: Buffer.concat(pending), isLast: true }
}

export function seal(passphrase: string) {
  return async function* (source: Bytes): Bytes {
    const salt = randomBytes(saltLength)
    const key = await deriveKey(passphrase, salt)
    yield Buffer.concat([magicBytes, salt])
    let frame = 0
    for await (const { piece, isLast } of splitStream(source, frameLength)) {
      const cipher = createCipheriv('aes-256-gcm', key, createNonce(frame, isLast))
      yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
      frame += 1
    }
  }
}

function decryptFrame(key: Buffer, sealed: Buffer, frame: number, isLast: boolean): Buffer {
  const body = sealed.subarray(0, Math.max(0, sealed.length - tagLength))
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, createNonce(frame, isLast))
    decipher.setAuthTag(sealed.subarray(body.length))
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch (cause) {
    throw new ArchiveUnusable(
      frame === 0 ? 'the passphrase is wrong, or its beginning is damaged' : 'it is damaged or truncated',
      { cause },
    )
  }
}

/** Decrypts the output of `seal`. `source` begins with `magicBytes`. */
export function unseal(passphrase: string) {
  return async function* (source: Bytes): Bytes {
    const headLength = magicBytes.length + saltLength
    let key: Buffer | null = null
    let frame = 0
    const body = async function* (): Bytes {
      let header = Buffer.alloc(0)
      for await (const chunk of source) {
        if (key) {
          yield chunk
          continue
        }
        header = Buffer.concat([header, chunk])
        if (header.length < headLength) continue
        key = await deriveKey(passphrase, header.subarray(magicBytes.length, headLength))
        yield header.subarray(headLength)
      }
    }
    for await (const { piece, isLast } of splitStream(body(), frameLength + tagLength)) {
      if (!key) throw new ArchiveUnusable('it is truncated')
      yield decryptFrame(key, piece, frame, isLast)
      frame += 1
    }
  }
}
