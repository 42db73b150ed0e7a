import { statfs } from 'node:fs/promises'
import { AppError } from '../../errors.ts'

const smallestReserve = 512 * 1024 * 1024

/** What always stays free, so that the database can go on writing: docs/security.md, "Storage". */
export const reserveOf = (capacity: number): number => Math.max(smallestReserve, capacity * 0.05)

export const requireFreeSpace = async (folder: string, needed: number): Promise<void> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  if (bavail * bsize - needed < reserveOf(blocks * bsize)) throw new AppError('storage.full')
}
