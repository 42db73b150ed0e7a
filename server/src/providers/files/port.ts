import type { Readable } from 'node:stream'

/** A stored file. The key is random and independent of the content. */
export interface StoredFile {
  key: string
  size: number
  sha256: string
}

export interface FileStore {
  /** The file is complete and on disk when this resolves. A failing stream leaves nothing behind. */
  put(content: Readable): Promise<StoredFile>
  /** Stores a file under an existing key, as a restore does. */
  restore(key: string, content: Readable): Promise<StoredFile>
  /** Throws if there is no such file. `range` is in bytes and inclusive. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>
  size(key: string): Promise<number | null>
  /** Does nothing if the file is gone. */
  remove(key: string): Promise<void>
  /** Lists all files, for the removal of orphans. */
  list(): AsyncIterable<{ key: string; size: number; modifiedAt: number }>
}
