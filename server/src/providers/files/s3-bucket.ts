import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { type BucketAddress, fileKeyPattern, StorageUnusable } from './port.ts'
import { describeStranger, toBucketError } from './s3-errors.ts'

export interface Bucket {
  client: S3Client
  name: string
  /** What the path of every object begins with: empty, or the folder with a slash. */
  root: string
  /** Milliseconds until the first byte of an answer, and between two pieces of a file. */
  answerMs: number
}

/** Each slow reader of a file occupies a connection. */
const maxSockets = 500

function ignore(): void {}
/** The client would write to the console otherwise. We log the errors that it throws. */
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

type Server = Pick<BucketAddress, 'endpoint' | 'region' | 'forcePathStyle'>

const clients = new Map<string, S3Client>()

/** A process has one client for each server: its connections and credentials are used again. */
function getClient({ endpoint, region, forcePathStyle }: Server): S3Client {
  const server = { endpoint, region, forcePathStyle }
  const key = JSON.stringify(server)
  const client = clients.get(key) ?? createClient(server)
  clients.set(key, client)
  return client
}

function createClient({ endpoint, region, forcePathStyle }: Server): S3Client {
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    forcePathStyle,
    logger: silent,
    // We send our own hash and compare it ourselves, because a file may arrive in two parts.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
      logger: silent,
    },
  })
}

/**
 * Throws `StorageUnusable` or `StorageUnavailable` if the bucket cannot be listed, so that a wrong setting is visible at
 * the start instead of at the first upload.
 */
export async function openBucket(address: BucketAddress, answerMs: number): Promise<Bucket> {
  const { bucket: name, prefix, endpoint } = address
  const client = getClient(address)
  const root = prefix === undefined ? '' : `${prefix}/`
  const list = new ListObjectsV2Command({ Bucket: name, Prefix: root, MaxKeys: 1 })
  const page = await client
    .send(list, { abortSignal: AbortSignal.timeout(answerMs) })
    .catch((error: unknown) => {
      throw toBucketError(error, address)
    })
  // The client finds no fault with a web page.
  if (page.Name === undefined && page.KeyCount === undefined)
    throw new StorageUnusable(describeStranger(endpoint))
  return { client, name, root, answerMs }
}

export function getObjectPath({ root }: Bucket, key: string): string {
  if (!fileKeyPattern.test(key)) throw new Error('invalid file key')
  return `${root}${key.slice(0, 2)}/${key}`
}
