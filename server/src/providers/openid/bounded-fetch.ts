import type { CustomFetch } from 'openid-client'
import { explainUnreachable, isUnreachable } from './issuer-error.ts'

/** Far more than a description, a key set or a list of claims has. */
const maxBytes = 1024 * 1024

async function readBody(response: Response): Promise<ArrayBuffer | null> {
  if (response.body === null) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error('the response is too large')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer
}

/** Fetches from an issuer. All requests of one operation share the deadline, and none follows a redirect. */
export function createBoundedFetch(deadline: AbortSignal): CustomFetch {
  return async (url, { body, headers, method, signal }) => {
    try {
      const response = await fetch(url, {
        // Types of browsers do not know all of its types.
        ...(body === undefined ? {} : { body: body as string }),
        headers,
        method,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      })
      const { status, headers: responseHeaders } = response
      return new Response(await readBody(response), { status, headers: responseHeaders })
    } catch (error) {
      throw isUnreachable(error) ? explainUnreachable(error, new URL(url).host) : error
    }
  }
}
