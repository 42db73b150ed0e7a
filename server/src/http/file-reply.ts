import type { FastifyReply } from 'fastify'
import type { FileReply } from '../file-reply.ts'

/** Both forms of a name: one that every client can read, and the true one. */
function contentDisposition(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** A kept copy is the session's own and is asked about each time: who may not see it any more gets no answer. */
function keep(reply: FastifyReply, version: string): FastifyReply {
  return reply
    .header('cache-control', 'private, no-cache')
    .header('vary', 'authorization')
    .header('etag', `"${version}"`)
}

/** What is still being written when the server stops breaks off: it would hold up the stop for as long as it takes. */
export function breakOffAtStop({ content, size }: FileReply, stopping: AbortSignal): void {
  if (size !== undefined || Buffer.isBuffer(content)) return
  const stream = content
  function breakOff(): void {
    stream.destroy(new Error('The server stops'))
  }
  stopping.addEventListener('abort', breakOff, { once: true })
  stream.once('close', () => stopping.removeEventListener('abort', breakOff))
}

export function sendFile(reply: FastifyReply, file: FileReply): FastifyReply {
  reply
    .headers({ ...file.headers })
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'private, no-store')
  if (file.name !== undefined) reply.header('content-disposition', contentDisposition(file.name))
  if (file.version !== undefined) {
    keep(reply, file.version)
    if (reply.request.headers['if-none-match'] === `"${file.version}"`) {
      if (!Buffer.isBuffer(file.content)) file.content.destroy()
      return reply.code(304).send()
    }
  }
  if (file.size !== undefined) reply.header('content-length', String(file.size))
  return reply.type(file.mimeType).send(file.content)
}
