import { randomBytes } from 'node:crypto'
import { DeleteObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { type BucketLocation, type FileStore, fileKeyPattern } from './port.ts'
import { type Bucket, getObjectPath, openBucket } from './s3-bucket.ts'
import { openObject } from './s3-download.ts'
import { isNotFound, toUnavailable } from './s3-errors.ts'
import { storeObject, type UploadOptions } from './s3-upload.ts'

export interface S3Options extends Partial<Omit<UploadOptions, 'spoolFolder'>> {
  /** Milliseconds until the first byte of an answer, and between two pieces of a file. */
  answerMs?: number
}

const folders = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

async function call<T>(
  { answerMs }: Bucket,
  work: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  try {
    return await work({ abortSignal: AbortSignal.timeout(answerMs) })
  } catch (error) {
    throw isNotFound(error) ? error : toUnavailable(error)
  }
}

async function* list(bucket: Bucket): ReturnType<FileStore['list']> {
  const { client, name, root } = bucket
  for (const folder of folders) {
    const path = `${root}${folder}/`
    let token: string | undefined
    do {
      const next = new ListObjectsV2Command({
        Bucket: name,
        Prefix: path,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      })
      const page = await call(bucket, (options) => client.send(next, options))
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const key = Key.slice(path.length)
        if (fileKeyPattern.test(key)) yield { key, size: Size, modifiedAt: LastModified?.getTime() ?? 0 }
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
  }
}

/**
 * Stores files in a bucket, as `<prefix>/<first two digits of the key>/<key>`. Throws `StorageUnusable` or
 * `StorageUnavailable` if it cannot be listed.
 */
export async function createS3Files(
  location: BucketLocation,
  { answerMs = 10_000, slowestUpload = 256, ...others }: S3Options = {},
): Promise<FileStore> {
  const bucket = await openBucket(location, answerMs)
  const { client, name: Bucket } = bucket
  const uploadOptions = { ...others, slowestUpload, spoolFolder: location.spoolFolder }

  return {
    put: (content) =>
      storeObject(bucket, { key: randomBytes(20).toString('hex'), isNew: true }, content, uploadOptions),
    async restore(key, content) {
      // Validates the key before anything is written.
      getObjectPath(bucket, key)
      // A key always has the same content: writing it again is harmless and repairs a damaged file.
      return storeObject(bucket, { key, isNew: false }, content, uploadOptions)
    },
    open: async (key, range) => openObject(bucket, getObjectPath(bucket, key), { range, resumes: 1 }),
    async size(key) {
      // An invalid key cannot belong to a file.
      if (!fileKeyPattern.test(key)) return null
      const head = new HeadObjectCommand({ Bucket, Key: getObjectPath(bucket, key) })
      try {
        const { ContentLength } = await call(bucket, (options) => client.send(head, options))
        return ContentLength ?? null
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
    async remove(key) {
      const remove = new DeleteObjectCommand({ Bucket, Key: getObjectPath(bucket, key) })
      await call(bucket, (options) => client.send(remove, options)).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
    },
    list: () => list(bucket),
  }
}
