import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { DeliveryFailed, explainNetworkFailure } from './delivery-failure.ts'
import { guardedLookup, requireAllowedAddress } from './guarded-lookup.ts'

interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** PEM. Empty: the authorities that Node trusts. */
  caCertificate?: string
  signal: AbortSignal
}

/** From the start until the end of the response, in milliseconds. */
const postTimeout = 15_000
const responseMaxBytes = 64 * 1024
/** A server cannot ask to be left alone for longer, in milliseconds. */
const retryAfterMaximum = 3_600_000

function parseRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, retryAfterMaximum) : null
}

function explainStatus(status: number, server: string): string {
  if (status >= 300 && status < 400)
    return `${server} redirects to another address (${status}). Enter that address instead.`
  if (status === 401 || status === 403) return `${server} refused the credentials (${status}).`
  if (status === 404) return `${server} has nothing at this address (404).`
  if (status === 413) return `${server} does not accept requests of this size (413).`
  if (status === 429) return `${server} asks to send less often (429).`
  return status >= 500
    ? `${server} answered with an error (${status}).`
    : `${server} refused the request (${status}).`
}

/** Reads the response so that the server can finish it, but not for ever. */
async function readStatus(response: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    if (bytes > responseMaxBytes) break
  }
  return response.statusCode ?? 0
}

function open({ url, headers, body, caCertificate = '' }: PostRequest, signal: AbortSignal) {
  const address = new URL(url)
  requireAllowedAddress(address.hostname.replace(/^\[|\]$/g, ''))
  const request = address.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(address, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own, so that a server that goes away cannot be mistaken for one that is there.
      agent: false,
      lookup: guardedLookup,
      signal,
      ...(caCertificate === '' ? {} : { ca: caCertificate }),
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}

/**
 * Posts to an address that an administrator has set. Redirects are not followed, because they would lead past the check
 * of the address. Throws `DeliveryFailed` unless the server accepts with a status of 200 to 299.
 */
export async function post(posted: PostRequest): Promise<number> {
  const server = new URL(posted.url).host
  const timeout = AbortSignal.timeout(postTimeout)
  try {
    const response = await open(posted, AbortSignal.any([posted.signal, timeout]))
    const status = await readStatus(response)
    if (status >= 200 && status < 300) return status
    throw new DeliveryFailed(explainStatus(status, server), {
      status,
      retryAfter: parseRetryAfter(response.headers['retry-after']),
    })
  } catch (error) {
    if (timeout.aborted)
      throw new DeliveryFailed(`${server} did not answer within ${postTimeout / 1000} seconds.`, {
        cause: error,
      })
    throw explainNetworkFailure(error, server)
  }
}
