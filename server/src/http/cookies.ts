import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BrowserCookies } from '../actor.ts'

const maxHeaderLength = 8 * 1024

/**
 * The cookies of one request and its response. Over HTTPS their names carry the `__Host-` prefix, which keeps sibling
 * hosts from setting them. Plain HTTP, as in development, supports neither the prefix nor `Secure`.
 */
export function createBrowserCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  isHttps: boolean,
): BrowserCookies {
  const header = request.headers.cookie ?? ''
  const cookies = header.length > maxHeaderLength ? {} : parseCookie(header)
  const { origin, host } = request.headers
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
    readCookie: (name) => cookies[fullName(name)] ?? null,
    setCookie: write,
    deleteCookie: (name) => write(name, '', 0),
    // Browsers add the origin to every request that is not a mere read.
    sendsCookies: origin !== undefined && origin.split('://')[1] === host,
  }
}
