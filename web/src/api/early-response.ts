/** A request that public/early-work.js sent before the code of the page had loaded. */
interface EarlyRequest {
  url: string
  token: string
  response: Promise<Response>
  /** In milliseconds of `performance.now()`. */
  sentAt: number
}

declare global {
  /** Undefined until the script has run. Null once nothing can use the response any more. */
  var earlyRequest: EarlyRequest | null | undefined
}

/** After this time, the response may be out of date. */
const maxAgeMs = 10_000

/** Returns the response to an early request for this URL, once. Null if there is none that can be used. */
export function takeEarlyResponse(url: string, token: string | null): Promise<Response> | null {
  // The script may load after the application. Its response would then be used by a later call, for example by the one
  // that follows a new reply, and hide that reply.
  globalThis.earlyRequest ??= null
  const request = globalThis.earlyRequest
  if (request?.url !== url) return null
  globalThis.earlyRequest = null
  const isUsable = request.token === token && performance.now() - request.sentAt < maxAgeMs
  return isUsable ? request.response : null
}
