import { statfsSync } from 'node:fs'
import { AppError } from '../errors.ts'

const minimumFree = 512 * 1024 * 1024

/** Both in bytes. */
export interface DiskSpace {
  free: number
  capacity: number
}

/** Synchronous, because handing the call to a thread takes longer than the call itself. */
export function readDiskSpace(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, capacity: blocks * bsize }
}

/** Bytes that uploads and backups leave free, so that the database can keep writing. See docs/security.md, "Limits". */
export function computeMinimumFree(capacity: number): number {
  return Math.max(minimumFree, capacity * 0.05)
}

export function requireFreeSpace(folder: string, neededBytes: number): void {
  const { free, capacity } = readDiskSpace(folder)
  if (free - neededBytes < computeMinimumFree(capacity)) throw new AppError('storage.full')
}
