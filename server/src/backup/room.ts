import { requireFreeSpace } from '../files/disk-space.ts'

const lookEvery = 32 * 1024 * 1024

/** Passes bytes on as long as the disk keeps what uploads leave free too. Looks once before the first. */
export async function roomWatcher(folder: string) {
  await requireFreeSpace(folder, 0)
  return async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let unseen = 0
    for await (const chunk of source) {
      unseen += chunk.length
      if (unseen > lookEvery) {
        unseen = 0
        await requireFreeSpace(folder, lookEvery)
      }
      yield chunk
    }
  }
}
