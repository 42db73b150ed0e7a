/** A request that public/early-requests.js sent before the code of the page had loaded. */
interface EarlyRequest {
  url: string
  token: string
  response: Promise<Response>
  /** In milliseconds of `performance.now()`. */
  sentAt: number
}

declare global {
  var earlyRequest: EarlyRequest | undefined
}

/** After this time, the response may be out of date. */
const maxAgeMs = 10_000

/** Returns the response to an early request for this URL, once. Null if there is none that can be used. */
export function takeEarlyResponse(url: string, token: string | null): Promise<Response> | null {
  const request = globalThis.earlyRequest
  if (request?.url !== url) return null
  globalThis.earlyRequest = undefined
  const isUsable = request.token === token && performance.now() - request.sentAt < maxAgeMs
  return isUsable ? request.response : null
}
