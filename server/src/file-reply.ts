import type { Readable } from 'node:stream'

/** A call's answer in bytes. */
export interface FileReply {
  content: Readable | Buffer
  /** From our own look at the content, never from whoever sent it. */
  mimeType: string
  size: number
  /** Names the download; without it the bytes are for showing in place. */
  name?: string
}
