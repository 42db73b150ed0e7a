import type { Readable } from 'node:stream'

/** A stored file. The key is random and says nothing about the content. */
export interface StoredFile {
  key: string
  size: number
  sha256: string
}

export interface FileStore {
  /** Whole and on disk when it resolves; a stream that fails leaves nothing behind. */
  put(content: Readable): Promise<StoredFile>
  /** The same under a key that was given out before, as a backup holds it. */
  putBack(key: string, content: Readable): Promise<StoredFile>
  /** Throws when there is no such file. `range` is inclusive, in bytes. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>
  size(key: string): Promise<number | null>
  /** Harmless when the file is gone. */
  remove(key: string): Promise<void>
  /** Keys with their age and size, for the clean-up of orphans. */
  list(): AsyncIterable<{ key: string; size: number; modifiedAt: number }>
}
