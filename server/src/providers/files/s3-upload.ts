import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { StoredFile } from './port.ts'
import { type Bucket, getObjectPath } from './s3-bucket.ts'
import { isTransient, toUnavailable } from './s3-errors.ts'
import { writeContent } from './write-content.ts'

export interface UploadOptions {
  spoolFolder: string
  /** Bytes per millisecond. A slower upload is cancelled. */
  slowestUpload: number
  /** Opens a spooled file. */
  openSpooled?: (path: string) => Readable
}

export interface SpooledFile extends StoredFile {
  path: string
  /** Whether an object with the same key must be left alone. */
  isNew: boolean
}

const attempts = 3
const retryPauseMs = 200

/**
 * The client gets a spooled file with its length, our hash, and an abort signal for when the file cannot be read. Without
 * one of the three, a source stream that breaks is an uncaught exception, or the request hangs.
 */
async function send(
  { client, name }: Bucket,
  path: string,
  { size, sha256, isNew }: SpooledFile,
  body: Readable,
  tooLate: AbortSignal,
): Promise<void> {
  const broken = new AbortController()
  body.once('error', (error) => broken.abort(error))
  const put = new PutObjectCommand({
    Bucket: name,
    Key: path,
    Body: body,
    ContentLength: size,
    ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    // Comes back with the file, unlike the checksum.
    Metadata: { sha256 },
    ...(isNew ? { IfNoneMatch: '*' } : {}),
  })
  try {
    await client.send(put, { abortSignal: AbortSignal.any([broken.signal, tooLate]) })
  } catch (error) {
    if (!broken.signal.aborted) throw error
    throw new Error('a file on its way could not be read', { cause: broken.signal.reason })
  } finally {
    body.destroy()
  }
}

/** Whether only the answer was lost. A server may also close the connection when it refuses a key that is taken. */
async function isStored(
  { client, name }: Bucket,
  path: string,
  { sha256 }: SpooledFile,
  tooLate: AbortSignal,
): Promise<boolean> {
  const head = new HeadObjectCommand({ Bucket: name, Key: path })
  try {
    const { Metadata } = await client.send(head, { abortSignal: tooLate })
    return Metadata?.['sha256'] === sha256
  } catch {
    return false
  }
}

async function upload(bucket: Bucket, file: SpooledFile, options: UploadOptions): Promise<void> {
  const { slowestUpload, openSpooled = createReadStream } = options
  const tooLate = AbortSignal.timeout(bucket.answerMs + Math.ceil(file.size / slowestUpload))
  const path = getObjectPath(bucket, file.key)
  for (let attempt = 1; ; attempt += 1)
    try {
      await send(bucket, path, file, openSpooled(file.path), tooLate)
      return
    } catch (error) {
      if (tooLate.aborted || !isTransient(error)) throw toUnavailable(error)
      if (await isStored(bucket, path, file, tooLate)) return
      if (attempt === attempts) throw toUnavailable(error)
      await pause(attempt * retryPauseMs)
    }
}

/** Stores the content once it has arrived completely. */
export async function storeObject(
  bucket: Bucket,
  { key, isNew }: Pick<SpooledFile, 'key' | 'isNew'>,
  content: Readable,
  options: UploadOptions,
): Promise<StoredFile> {
  await mkdir(options.spoolFolder, { recursive: true, mode: 0o700 })
  const path = join(options.spoolFolder, randomBytes(16).toString('hex'))
  try {
    const { size, sha256 } = await writeContent(path, content, { sync: false })
    await upload(bucket, { key, size, sha256, path, isNew }, options)
    return { key, size, sha256 }
  } finally {
    await rm(path, { force: true })
  }
}
