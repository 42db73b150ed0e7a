/** Something that a reply has shown or will show. The log does not look into the content. */
export interface Frame {
  messageId: string
  content: string
}

/**
 * One append-only log for each server of a cluster, which all servers can read: what its running replies wrote in the
 * last 30 seconds. It never holds the only copy of anything and may be lost entirely.
 */
export interface SharedEventLog {
  /** Appends to the log of this server. Resolves when all servers can read the frames. Calls must not overlap. */
  push(frames: readonly Frame[]): Promise<void>
  /** Whether the last `push` failed, so that its frames are missing. */
  readonly isFailing: boolean
  /** What the log of a server contains of these replies, oldest first. */
  read(node: string, messageIds: readonly string[]): Promise<Frame[]>
  /**
   * Calls back with the contents of one reply, oldest first: at once with what the log contains, then with what is
   * added. Some may come twice, and some may be missing. Returns a function that ends it.
   */
  follow(node: string, messageId: string, onContents: (contents: readonly string[]) => void): () => void
  /** Deletes the log of a server that has ended. */
  forget(node: string): Promise<void>
  close(): Promise<void>
}
