import { randomBytes } from 'node:crypto'
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import type { BucketLocation } from '#providers/files/port.ts'

export interface TestBucket {
  /** Environment variables of a server that stores its files in the bucket. */
  env: Record<string, string>
  /** The bucket as a store sees it that spools in a folder. */
  locate(spoolFolder: string): BucketLocation
  /** The names of all objects. */
  list(): Promise<string[]>
  /** The names of objects that are being uploaded in parts. */
  listUploads(): Promise<string[]>
}

// biome-ignore lint/style/noProcessEnv: the test run starts the server and sets these
const { TEST_S3_URL, TEST_S3_FAULT, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env

export function requireS3(): string {
  if (TEST_S3_URL) return TEST_S3_URL
  throw new Error(TEST_S3_FAULT ?? 'TEST_S3_URL is not set. The test runner starts an S3 server and sets it.')
}

/** Creates an empty bucket. It is deleted together with the run's S3 server. The endpoint may be a proxy. */
export async function createTestBucket(endpoint = requireS3()): Promise<TestBucket> {
  const bucket = `lyceum-${randomBytes(6).toString('hex')}`
  const region = 'us-east-1'
  const client = new S3Client({ endpoint: requireS3(), region, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return {
    env: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    locate: (spoolFolder) => ({
      bucket,
      prefix: undefined,
      endpoint,
      region,
      forcePathStyle: true,
      spoolFolder,
    }),
    async list() {
      const pages = await Array.fromAsync(paginateListObjectsV2({ client }, { Bucket: bucket }))
      return pages.flatMap(({ Contents = [] }) => Contents.map(({ Key = '' }) => Key))
    },
    async listUploads() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
      return Uploads.map(({ Key = '' }) => Key)
    },
  }
}
