import { randomBytes } from 'node:crypto'
import { existsSync, unlinkSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DiskSpace, readDiskSpace } from './disk-space.ts'

/** The file whose only purpose is to take up space that can be freed. */
export const reserveName = 'reserve'

const mebibyte = 1024 * 1024
const maxSize = 64 * mebibyte

/** In bytes; at most a twentieth of the disk. */
export function computeReserveSize(capacity: number): number {
  return Math.min(maxSize, Math.floor(capacity / 20))
}

/** With less than this many free bytes, the disk counts as full although the reserve is still there. */
function computeLowMark(capacity: number): number {
  return computeReserveSize(capacity) / 4
}

export function isReserveHeld(folder: string): boolean {
  return existsSync(join(folder, reserveName))
}

/**
 * Deletes the reserve. Returns whether the failed write is worth another attempt. Any process or thread may call it: the
 * file itself is the only state.
 */
export function releaseReserve(folder: string): boolean {
  try {
    unlinkSync(join(folder, reserveName))
    return true
  } catch {
    // Another writer may have released it at the same moment.
    const { free, capacity } = readDiskSpace(folder)
    return free >= computeLowMark(capacity)
  }
}

/** Whether the reserve is there or can be created, and the disk has some space besides. */
export function hasDiskRoom(folder: string, { free, capacity }: DiskSpace): boolean {
  const lowMark = computeLowMark(capacity)
  return isReserveHeld(folder) ? free >= lowMark : free >= computeReserveSize(capacity) + 2 * lowMark
}

/** A start needs some space, for the databases' logs at the least. */
export function makeRoomToStart(folder: string): void {
  if (!existsSync(folder)) return
  const { free, capacity } = readDiskSpace(folder)
  if (free < computeLowMark(capacity)) releaseReserve(folder)
}

/** Writes random bytes, because some file systems store no zeros. Leaves nothing behind when it fails. */
export async function createReserve(folder: string, size: number): Promise<void> {
  const path = join(folder, reserveName)
  const temporaryPath = `${path}.new`
  const chunk = randomBytes(Math.min(size, mebibyte))
  try {
    const file = await open(temporaryPath, 'w', 0o600)
    try {
      for (let left = size; left > 0; left -= chunk.length)
        await file.writeFile(chunk.subarray(0, Math.min(left, chunk.length)))
    } finally {
      await file.close()
    }
    await rename(temporaryPath, path)
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
}
