import type { Readable } from 'node:stream'

/** A stored file. The key is random and independent of the content. */
export interface StoredFile {
  key: string
  size: number
  sha256: string
}

/** A folder in a bucket of an S3 server. */
export interface BucketAddress {
  bucket: string
  /** A folder in the bucket, without slashes at its ends; undefined for the whole bucket. */
  prefix: string | undefined
  /** Undefined for AWS. */
  endpoint: string | undefined
  /** Undefined: the AWS client finds it in its own configuration. */
  region: string | undefined
  forcePathStyle: boolean
}

export interface BucketLocation extends BucketAddress {
  /** A local folder for files on their way into the bucket. */
  spoolFolder: string
}

/** Where stored files are. Can be sent to another process as JSON. */
export type FilesLocation = { folder: string } | BucketLocation

/** The storage cannot be reached, or does not do what it is asked right now. The request may be fine. */
export class StorageUnavailable extends Error {}

/** An administrator must correct a setting or the bucket first. The message says what is wrong in one sentence. */
export class StorageUnusable extends Error {}

/** Keys of files. They are checked, because a backup may contain any name. */
export const fileKeyPattern = /^[0-9a-f]{40}$/

/** If the storage is not on this machine, all of its methods may throw `StorageUnavailable`. */
export interface FileStore {
  /** The file is complete and durable when this resolves. A failing stream leaves nothing behind. */
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
