import type { BucketAddress } from '../files/port.ts'

/** A folder for archives, on this machine or in a bucket. Can be sent to another process as JSON. */
export type ArchivesLocation = { folder: string } | BucketAddress

/** There is already an archive with this name. */
export class TargetExists extends Error {}

/** An archive that is being written. */
export interface ArchiveDraft {
  write(content: AsyncIterable<Buffer>): Promise<void>
  /** Gives the archive its name. Returns its size in bytes once it is durable. */
  complete(): Promise<number>
  discard(): Promise<void>
}

/** Stores archives. Nobody sees an archive under its name before it is complete. */
export interface ArchiveStore {
  /** Returns the path or address of an archive, as an operator enters it. */
  locate(name: string): string
  list(): Promise<string[]>
  has(name: string): Promise<boolean>
  /** Throws `TargetExists` if the name is taken. */
  begin(name: string): Promise<ArchiveDraft>
  remove(name: string): Promise<void>
  /** Discards drafts of processes that were killed: those whose last change passes the check. */
  discardAbandoned(isAbandoned: (changedAt: number) => boolean): Promise<void>
}
