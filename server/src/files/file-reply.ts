import type { Readable } from 'node:stream'

/** A response with binary content. */
export interface FileReply {
  /** A stream is destroyed if the client disconnects early. */
  content: Readable | Buffer
  /** Detected from the content, never taken from the uploader. */
  mimeType: string
  /** In bytes. Omit it for content that is generated while it is sent. */
  size?: number
  /** File name of a download. Without it the content is shown inline. */
  name?: string
  /** Changes with the content. Sent as the ETag, so that browsers can revalidate a cached copy. */
  version?: string
  headers?: Readonly<Record<string, string>>
}
