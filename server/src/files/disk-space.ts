import { statfs } from 'node:fs/promises'
import { AppError } from '../errors.ts'

const minimumFree = 512 * 1024 * 1024

/** Both in bytes. */
export interface DiskSpace {
  free: number
  capacity: number
}

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, capacity: blocks * bsize }
}

/** Bytes that uploads and backups leave free, so that the database can keep writing. See docs/security.md, "Limits". */
export function computeMinimumFree(capacity: number): number {
  return Math.max(minimumFree, capacity * 0.05)
}

export async function requireFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { free, capacity } = await readDiskSpace(folder)
  if (free - neededBytes < computeMinimumFree(capacity)) throw new AppError('storage.full')
}
