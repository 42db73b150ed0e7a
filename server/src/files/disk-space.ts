import { statfs } from 'node:fs/promises'
import { AppError } from '../errors.ts'

const minReserve = 512 * 1024 * 1024

/** Bytes that always stay free, so that the database can keep writing. See docs/security.md, "Limits". */
export function computeReserve(capacity: number): number {
  return Math.max(minReserve, capacity * 0.05)
}

export async function requireFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  if (bavail * bsize - neededBytes < computeReserve(blocks * bsize)) throw new AppError('storage.full')
}
