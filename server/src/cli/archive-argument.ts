import { join } from 'node:path'
import { downloadArchive } from '#providers/archives/open-archives.ts'
import { type ArchiveAddress, parseArchiveAddress } from '../backup/archives-location.ts'
import type { Env } from '../env.ts'
import { withOwnSpool } from '../files/data-folder.ts'
import { requireFreeSpace } from '../files/disk-space.ts'
import { type Arguments, readPositional, UsageError } from './command.ts'

export function readArchiveAddress(args: Arguments, env: Env): ArchiveAddress {
  const text = readPositional(args, 'The file')
  const address = parseArchiveAddress(env, text)
  if (address === null)
    throw new UsageError(
      `${text} names no file in a bucket. Write s3://bucket/folder/file, of letters, digits, “.”, “_” and “-”`,
    )
  return address
}

/** Calls `read` with the path of an archive. One in a bucket is first copied into the data folder, and deleted afterwards. */
export async function withArchiveFile<R>(
  { DATA_DIR }: Env,
  { location, name }: ArchiveAddress,
  read: (path: string) => Promise<R>,
): Promise<R> {
  if ('folder' in location) return read(join(location.folder, name))
  return withOwnSpool(DATA_DIR, async (spool) => {
    const path = join(spool, 'archive')
    await downloadArchive(location, name, { path, requireSpace: (bytes) => requireFreeSpace(spool, bytes) })
    return read(path)
  })
}
