import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openFiles } from '#providers/files/open-files.ts'
import {
  type BucketAddress,
  type BucketLocation,
  type FileStore,
  type FilesLocation,
  StorageUnusable,
} from '#providers/files/port.ts'
import type { Env } from '../env.ts'
import { spoolName } from './data-folder.ts'

/** The S3 server that the settings name. Credentials are found by the AWS client. */
export function getS3Server(env: Env): Pick<BucketAddress, 'endpoint' | 'region' | 'forcePathStyle'> {
  return {
    endpoint: env.S3_ENDPOINT,
    // Servers other than AWS rarely have regions, but the client always needs one.
    region: env.AWS_REGION ?? (env.S3_ENDPOINT === undefined ? undefined : 'us-east-1'),
    forcePathStyle: env.S3_FORCE_PATH_STYLE,
  }
}

/** The bucket for stored files; null if they are in the data folder. */
export function getBucketLocation(env: Env): BucketLocation | null {
  if (env.S3_BUCKET === undefined) return null
  return {
    ...getS3Server(env),
    bucket: env.S3_BUCKET,
    prefix: env.S3_PREFIX,
    spoolFolder: join(env.DATA_DIR, spoolName),
  }
}

function getFilesFolder({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string {
  return join(DATA_DIR, 'blobs')
}

export function getFilesLocation(env: Env): FilesLocation {
  return getBucketLocation(env) ?? { folder: getFilesFolder(env) }
}

/** Files in the data folder would be missing from the bucket, and nobody would be told. */
function requireNoLocalFiles(folder: string): void {
  if (!existsSync(folder)) return
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  if (files.some((entry) => entry.isFile()))
    throw new StorageUnusable(
      `S3_BUCKET is set, but ${folder} contains files. Move them into the bucket first: see docs/operations.md, “Store files in a bucket”.`,
    )
}

/** Throws `StorageUnusable` or `StorageUnavailable` if stored files cannot be reached. */
export async function openStoredFiles(env: Env): Promise<FileStore> {
  const location = getFilesLocation(env)
  if ('bucket' in location) requireNoLocalFiles(getFilesFolder(env))
  return openFiles(location)
}
