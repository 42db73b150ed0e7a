import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { Bucket } from './s3-bucket.ts'
import { isNotFound, toUnavailable } from './s3-errors.ts'

/** In bytes and inclusive. */
interface Range {
  start: number
  end: number
}

type Read = () => Promise<Buffer | null>

/** A response with a file, or with a part of it. */
interface Part {
  body: Readable
  length: number
  /** Undefined for a part of a file, and for a file that another program stored. */
  sha256: string | undefined
  /** Returns null at the end. */
  read: Read
}

/** Ends a response that has sent nothing for too long. */
function readPatiently(body: Readable, answerMs: number): Read {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  return async () => {
    const timer = setTimeout(() => body.destroy(new Error('it sent nothing for too long')), answerMs)
    try {
      const { done, value } = await chunks.next()
      return done ? null : value
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Resolves once the first bytes are there. */
async function request(bucket: Bucket, path: string, range?: Range): Promise<Part> {
  const { client, name, answerMs } = bucket
  const get = new GetObjectCommand({
    Bucket: name,
    Key: path,
    ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
  })
  // The signal also ends the response, so it must not be aborted once the first bytes are there.
  const tooLate = new AbortController()
  const timer = setTimeout(() => tooLate.abort(), answerMs)
  try {
    const { Body, ContentLength, Metadata } = await client.send(get, { abortSignal: tooLate.signal })
    const body = Body as Readable
    const readNext = readPatiently(body, answerMs)
    let first: { chunk: Buffer | null } | null = { chunk: await readNext() }
    async function read(): Promise<Buffer | null> {
      if (first === null) return readNext()
      const { chunk } = first
      first = null
      return chunk
    }
    const sha256 = range === undefined ? Metadata?.['sha256'] : undefined
    return { body, length: ContentLength ?? 0, sha256, read }
  } catch (error) {
    if (isNotFound(error)) throw new Error(`There is no stored file ${path}.`, { cause: error })
    throw toUnavailable(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Reads to the end. Each time that the connection is cut, requests the remaining bytes, up to a limit. */
function createReader(bucket: Bucket, path: string, start: number, first: Part, resumes: number) {
  const end = start + first.length
  let part = first
  let at = start
  let left = resumes
  async function read(): Promise<Buffer | null> {
    for (;;)
      try {
        const chunk = await part.read()
        if (chunk === null && at < end) throw new Error('the connection was cut')
        at += chunk?.length ?? 0
        return chunk
      } catch (error) {
        part.body.destroy()
        if (left === 0) throw toUnavailable(error)
        left -= 1
        part = await request(bucket, path, { start: at, end: end - 1 })
      }
  }
  return { read, close: () => part.body.destroy() }
}

/** Holds back the last piece until the hash is known, so that a damaged file never looks complete. */
async function* verify(path: string, sha256: string | undefined, read: Read): AsyncIterable<Buffer> {
  const hash = createHash('sha256')
  let last: Buffer | null = null
  for (let chunk = await read(); chunk !== null; chunk = await read()) {
    hash.update(chunk)
    if (last !== null) yield last
    last = chunk
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256)
    throw new Error(`The stored file ${path} arrived with other bytes than were stored.`)
  if (last !== null) yield last
}

export interface OpenOptions {
  range?: Range | undefined
  /** How often the download continues after its connection was cut. */
  resumes: number
}

export async function openObject(
  bucket: Bucket,
  path: string,
  { range, resumes }: OpenOptions,
): Promise<Readable> {
  const first = await request(bucket, path, range)
  const { read, close } = createReader(bucket, path, range?.start ?? 0, first, resumes)
  const stream = Readable.from(verify(path, first.sha256, read), { objectMode: false })
  // The generator would not close a response that nobody has begun to read.
  return stream.once('close', close)
}
