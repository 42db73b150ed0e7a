import type { BucketAddress } from '../files/port.ts'
import { createLocalArchives } from './local.ts'
import type { ArchiveStore, ArchivesLocation } from './port.ts'
import type { S3ArchivesOptions } from './s3.ts'

/**
 * The AWS client is loaded on first use only. Throws `StorageUnusable` or `StorageUnavailable` if a bucket cannot be
 * listed.
 */
export async function openArchives(
  location: ArchivesLocation,
  options: S3ArchivesOptions = {},
): Promise<ArchiveStore> {
  if ('folder' in location) return createLocalArchives(location.folder)
  const { createS3Archives } = await import('./s3.ts')
  return createS3Archives(location, options)
}

/** Copies an archive from a bucket into a new file. `requireSpace` throws if there is no space for its bytes. */
export async function downloadArchive(
  address: BucketAddress,
  name: string,
  target: { path: string; requireSpace: (bytes: number) => void },
): Promise<void> {
  const { downloadS3Archive } = await import('./s3.ts')
  await downloadS3Archive(address, name, target)
}
