import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Browser } from '../browser.ts'

const longestHeader = 8 * 1024

/**
 * The cookies of one exchange. Over https they carry the __Host- prefix, which a neighbouring host cannot set; plain
 * http, as on a developer's machine, has neither that nor Secure.
 */
export function browserOf(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): Browser {
  const header = request.headers.cookie ?? ''
  const sent = header.length > longestHeader ? {} : parseCookie(header)
  function fullName(name: string): string {
    return `${isHttps ? '__Host-' : ''}${name}`
  }

  function write(name: string, value: string, maxAge: number): void {
    reply.header(
      'set-cookie',
      stringifySetCookie({
        name: fullName(name),
        value,
        httpOnly: true,
        sameSite: 'strict',
        secure: isHttps,
        path: '/',
        maxAge,
      }),
    )
  }
  return {
    read: (name) => sent[fullName(name)] ?? null,
    keep: write,
    forget: (name) => write(name, '', 0),
  }
}
