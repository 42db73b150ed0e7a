import type { FastifyReply, FastifyRequest } from 'fastify'

/** See docs/security.md, "Headers". No inline scripts or styles; previews are blobs of a fixed type. */
const pageRules = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
]
function createPolicy(frames: string): string {
  return [...pageRules, `frame-ancestors ${frames}`].join('; ')
}

/** For pages that only pages of the same origin may frame. */
export const framedPageHeaders = {
  'x-frame-options': 'SAMEORIGIN',
  'content-security-policy': createPolicy("'self'"),
}

/** For a page that these sites may frame. It must have no `x-frame-options`, which cannot name sites. */
export function createFramedHeaders(sites: readonly string[]): Record<string, string> {
  return { 'content-security-policy': createPolicy(sites.join(' ')) }
}

/** For the script that other sites load. */
export const foreignScriptHeaders = { 'cross-origin-resource-policy': 'cross-origin' }

const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy':
    'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
  'content-security-policy': createPolicy("'none'"),
}

/** Sets the headers at the start of every request, so that errors and hijacked replies carry them too. */
export function createSecurityHeadersHook(isHttps: boolean) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(defaultHeaders)
    if (isHttps) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  }
}
