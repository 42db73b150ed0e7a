import type { Readable } from 'node:stream'

/** A call's answer in bytes. */
export interface FileReply {
  /** A stream is destroyed when its reader leaves before the end. */
  content: Readable | Buffer
  /** From our own look at the content, never from whoever sent it. */
  mimeType: string
  /** Left out for what is written while it is being sent. */
  size?: number
  /** Names the download; without it the bytes are for showing in place. */
  name?: string
  /** Changes with the content: a browser may keep the bytes and ask whether they still hold. */
  version?: string
  /** What else the answer says of itself. */
  headers?: Readonly<Record<string, string>>
}
