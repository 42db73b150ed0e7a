import type { FastifyReply } from 'fastify'
import type { FileReply } from '../file-reply.ts'

/** Both forms of a name: one that every client can read, and the true one. */
const contentDisposition = (name: string): string => {
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

export const sendFile = (reply: FastifyReply, file: FileReply): FastifyReply => {
  if (file.name !== undefined) reply.header('content-disposition', contentDisposition(file.name))
  if (file.size !== undefined) reply.header('content-length', String(file.size))
  return reply
    .headers({ ...file.headers })
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'private, no-store')
    .type(file.mimeType)
    .send(file.content)
}
