import { statfs } from 'node:fs/promises'
import { AppError } from '../errors.ts'

const smallestReserve = 512 * 1024 * 1024

/** What always stays free, so that the database can go on writing: docs/security.md, "Limits". */
export function reserveOf(capacity: number): number {
  return Math.max(smallestReserve, capacity * 0.05)
}

export async function requireFreeSpace(folder: string, needed: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  if (bavail * bsize - needed < reserveOf(blocks * bsize)) throw new AppError('storage.full')
}
