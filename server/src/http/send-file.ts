import type { FastifyReply } from 'fastify'
import type { FileReply } from '../files/file-reply.ts'

/** Sends the name in two forms: an ASCII fallback for every client, and the exact name (RFC 6266). */
function formatContentDisposition(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** Browsers may cache the file per session but must revalidate, so that a user without access no longer sees it. */
function setCacheHeaders(reply: FastifyReply, version: string): FastifyReply {
  return reply
    .header('cache-control', 'private, no-cache')
    .header('vary', 'authorization')
    .header('etag', `"${version}"`)
}

/** Aborts files of unknown length on shutdown, because generating the rest could delay it for a long time. */
export function destroyOnShutdown({ content, size }: FileReply, stopping: AbortSignal): void {
  if (size !== undefined || Buffer.isBuffer(content)) return
  const stream = content
  function destroy(): void {
    stream.destroy(new Error('the server is stopping'))
  }
  stopping.addEventListener('abort', destroy, { once: true })
  stream.once('close', () => stopping.removeEventListener('abort', destroy))
}

export function sendFile(reply: FastifyReply, file: FileReply): FastifyReply {
  reply
    .headers({ ...file.headers })
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'private, no-store')
  if (file.name !== undefined) reply.header('content-disposition', formatContentDisposition(file.name))
  if (file.version !== undefined) {
    setCacheHeaders(reply, file.version)
    if (reply.request.headers['if-none-match'] === `"${file.version}"`) {
      if (!Buffer.isBuffer(file.content)) file.content.destroy()
      return reply.code(304).send()
    }
  }
  if (file.size !== undefined) reply.header('content-length', String(file.size))
  return reply.type(file.mimeType).send(file.content)
}
