import { basename, dirname, join, resolve } from 'node:path'
import { formatS3Address, isS3Address, parseS3Address, type S3Address } from '#lib/s3-address.ts'
import type { ArchivesLocation } from '#providers/archives/port.ts'
import type { BucketAddress } from '#providers/files/port.ts'
import type { Env } from '../env.ts'
import { getS3Server } from '../files/files-location.ts'

/** An archive, or where one will be. */
export interface ArchiveAddress {
  location: ArchivesLocation
  name: string
}

function getBucketAddress(env: Env, { bucket, path }: S3Address): BucketAddress {
  return { ...getS3Server(env), bucket, prefix: path }
}

/** The folder or the bucket in `BACKUP_DIR`, or a folder in it. */
export function getArchivesLocation(env: Env, subfolder?: string): ArchivesLocation {
  const address = parseS3Address(env.BACKUP_DIR)
  if (address === null) return { folder: subfolder ? join(env.BACKUP_DIR, subfolder) : env.BACKUP_DIR }
  const path = [address.path, subfolder].filter((part) => part !== undefined).join('/') || undefined
  return getBucketAddress(env, { ...address, path })
}

/** Parses a path, or an address such as `s3://bucket/folder/name`; null if it names no file. */
export function parseArchiveAddress(env: Env, text: string): ArchiveAddress | null {
  if (!isS3Address(text)) {
    const path = resolve(text)
    return { location: { folder: dirname(path) }, name: basename(path) }
  }
  const address = parseS3Address(text)
  if (address?.path === undefined) return null
  const [, folder, name = ''] = /^(?:(.*)\/)?([^/]+)$/.exec(address.path) ?? []
  return { location: getBucketAddress(env, { bucket: address.bucket, path: folder }), name }
}

export function formatArchiveAddress({ location, name }: ArchiveAddress): string {
  if ('folder' in location) return join(location.folder, name)
  const path = location.prefix === undefined ? name : `${location.prefix}/${name}`
  return formatS3Address({ bucket: location.bucket, path })
}
