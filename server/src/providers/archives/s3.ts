import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  paginateListObjectsV2,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { formatS3Address } from '../../lib/s3-address.ts'
import { type BucketAddress, StorageUnavailable, StorageUnusable } from '../files/port.ts'
import { type Bucket, openBucket } from '../files/s3-bucket.ts'
import { openObject } from '../files/s3-download.ts'
import { isNameTaken, isNotFound, toOperationError } from '../files/s3-errors.ts'
import { type ArchiveDraft, type ArchiveStore, TargetExists } from './port.ts'

export interface S3ArchivesOptions {
  /** Milliseconds until the first byte of an answer. */
  answerMs?: number
  /** Bytes per millisecond. A slower upload is cancelled. */
  slowestUpload?: number
  /** An archive can have 10,000 parts. S3 accepts no smaller ones than 5 MiB, except the last. */
  partBytes?: number
}

const mebibyte = 1024 * 1024
/** How often a download continues after its connection was cut. */
const downloadResumes = 20

/** Everything that an upload needs. */
interface Context {
  bucket: Bucket
  address: BucketAddress
  options: Required<S3ArchivesOptions>
}

/** Ends a request in which these bytes are sent or processed too slowly. */
function limitTime({ options }: Context, bytes = 0): { abortSignal: AbortSignal } {
  const patience = options.answerMs + Math.ceil(bytes / options.slowestUpload)
  return { abortSignal: AbortSignal.timeout(patience) }
}

async function call<T>(
  context: Context,
  work: (options: { abortSignal: AbortSignal }) => Promise<T>,
  bytes?: number,
): Promise<T> {
  try {
    return await work(limitTime(context, bytes))
  } catch (error) {
    throw isNotFound(error) ? error : toOperationError(error, context.address)
  }
}

function createTargetExists(bucket: string, path: string): TargetExists {
  return new TargetExists(`There is already a file at ${formatS3Address({ bucket, path })}.`)
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error
}

async function findObject(context: Context, path: string): Promise<HeadObjectCommandOutput | null> {
  const { client, name } = context.bucket
  const head = new HeadObjectCommand({ Bucket: name, Key: path })
  try {
    return await call(context, (options) => client.send(head, options))
  } catch (error) {
    ignoreMissing(error)
    return null
  }
}

/** Yields pieces of the same size, except the last, from a buffer that it uses again for the next piece. */
async function* cut(content: AsyncIterable<Buffer>, size: number): AsyncIterable<Buffer> {
  const piece = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(piece, filled, at)
      at += copied
      filled += copied
      if (filled < size) continue
      yield piece
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

/** Starts an upload in parts, which are sent one after the other from memory. The client can repeat each of them. */
async function begin(context: Context, path: string): Promise<ArchiveDraft> {
  const { client, name: Bucket } = context.bucket
  const { partBytes } = context.options
  // Tells our archive from one that another process stored under the same name.
  const draft = randomBytes(16).toString('hex')
  const create = new CreateMultipartUploadCommand({
    Bucket,
    Key: path,
    ChecksumAlgorithm: 'SHA256',
    Metadata: { draft },
  })
  const { UploadId } = await call(context, (options) => client.send(create, options))
  const upload = { Bucket, Key: path, UploadId }
  const parts: CompletedPart[] = []
  let bytes = 0

  async function sendPart(content: Buffer): Promise<void> {
    const part = {
      PartNumber: parts.length + 1,
      ChecksumSHA256: createHash('sha256').update(content).digest('base64'),
    }
    const send = new UploadPartCommand({ ...upload, ...part, Body: content, ContentLength: content.length })
    const { ETag } = await call(context, (options) => client.send(send, options), content.length)
    parts.push({ ...part, ...(ETag === undefined ? {} : { ETag }) })
    bytes += content.length
  }

  /** Whether only the answer was lost. */
  async function isComplete(): Promise<boolean> {
    const found = await findObject(context, path).catch(() => null)
    return found?.Metadata?.['draft'] === draft
  }

  return {
    async write(content) {
      for await (const piece of cut(content, partBytes)) await sendPart(piece)
    },
    async complete() {
      const complete = new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts: parts },
        IfNoneMatch: '*',
      })
      try {
        // A server may copy all parts.
        await client.send(complete, limitTime(context, bytes))
      } catch (error) {
        // The client repeats a request whose answer was lost, and then finds the name taken by this archive.
        if (await isComplete()) return bytes
        throw isNameTaken(error) ? createTargetExists(Bucket, path) : toOperationError(error, context.address)
      }
      return bytes
    },
    async discard() {
      const abort = new AbortMultipartUploadCommand(upload)
      // What stays is discarded as abandoned.
      await call(context, (options) => client.send(abort, options)).catch(() => undefined)
    },
  }
}

async function* listDrafts(context: Context): AsyncIterable<MultipartUpload> {
  const { client, name: Bucket, root: Prefix } = context.bucket
  let next: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
  while (next !== null) {
    const list: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({ Bucket, Prefix, ...next })
    const page = await call(context, (options) => client.send(list, options))
    yield* page.Uploads ?? []
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page
    next =
      IsTruncated && NextKeyMarker
        ? {
            KeyMarker: NextKeyMarker,
            ...(NextUploadIdMarker ? { UploadIdMarker: NextUploadIdMarker } : {}),
          }
        : null
  }
}

async function openContext(
  address: BucketAddress,
  { answerMs = 10_000, slowestUpload = 256, partBytes = 32 * mebibyte }: S3ArchivesOptions,
): Promise<Context> {
  return {
    bucket: await openBucket(address, answerMs),
    address,
    options: { answerMs, slowestUpload, partBytes },
  }
}

/** Stores archives in a folder of a bucket. Throws `StorageUnusable` or `StorageUnavailable` if it cannot be listed. */
export async function createS3Archives(
  address: BucketAddress,
  options: S3ArchivesOptions,
): Promise<ArchiveStore> {
  const context = await openContext(address, options)
  const { client, name: Bucket, root } = context.bucket
  function locate(name: string): string {
    return formatS3Address({ bucket: Bucket, path: `${root}${name}` })
  }
  return {
    locate,
    async list() {
      const names: string[] = []
      const folder = { Bucket, Prefix: root, Delimiter: '/' }
      await call(context, async (options) => {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, folder, options))
          names.push(...Contents.map(({ Key = '' }) => Key.slice(root.length)))
      })
      return names
    },
    async has(name) {
      return (await findObject(context, `${root}${name}`)) !== null
    },
    async begin(name) {
      const path = `${root}${name}`
      if ((await findObject(context, path)) !== null) throw createTargetExists(Bucket, path)
      return begin(context, path)
    },
    async remove(name) {
      const remove = new DeleteObjectCommand({ Bucket, Key: `${root}${name}` })
      await call(context, (options) => client.send(remove, options)).catch(ignoreMissing)
    },
    async discardAbandoned(isAbandoned) {
      for await (const { Key = '', UploadId, Initiated } of listDrafts(context)) {
        const name = Key.slice(root.length)
        const isOurs = name.startsWith('lyceum-') && !name.includes('/')
        if (!isOurs || !isAbandoned(Initiated?.getTime() ?? 0)) continue
        const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId })
        await call(context, (options) => client.send(abort, options)).catch(ignoreMissing)
      }
    },
  }
}

/** Copies an archive from a bucket into a new file. `requireSpace` throws if there is no space for its bytes. */
export async function downloadS3Archive(
  address: BucketAddress,
  name: string,
  target: { path: string; requireSpace: (bytes: number) => void },
): Promise<void> {
  const context = await openContext(address, {})
  const path = `${context.bucket.root}${name}`
  const found = await findObject(context, path)
  if (found === null)
    throw new StorageUnusable(
      `There is no backup at ${formatS3Address({ bucket: address.bucket, path })}. Check the address and S3_ENDPOINT.`,
    )
  target.requireSpace(found.ContentLength ?? 0)
  try {
    const content = await openObject(context.bucket, path, { resumes: downloadResumes })
    await pipeline(content, createWriteStream(target.path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    throw error instanceof StorageUnavailable ? toOperationError(error.cause, address) : error
  }
}
