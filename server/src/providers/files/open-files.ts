import { createLocalFiles } from './local.ts'
import type { FileStore, FilesLocation } from './port.ts'

/** The AWS client is loaded on first use only: most installations store files in a folder. */
export async function openFiles(location: FilesLocation): Promise<FileStore> {
  if ('folder' in location) return createLocalFiles(location.folder)
  const { createS3Files } = await import('./s3.ts')
  return createS3Files(location)
}
