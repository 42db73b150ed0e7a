import { requireFreeSpace } from '../files/disk-space.ts'

const checkInterval = 32 * 1024 * 1024

/**
 * A stream stage that fails when free disk space falls below the reserve for the database. Also checks once at the
 * start.
 */
export async function createDiskSpaceWatcher(folder: string) {
  await requireFreeSpace(folder, 0)
  return async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let unchecked = 0
    for await (const chunk of source) {
      unchecked += chunk.length
      if (unchecked > checkInterval) {
        unchecked = 0
        await requireFreeSpace(folder, checkInterval)
      }
      yield chunk
    }
  }
}
