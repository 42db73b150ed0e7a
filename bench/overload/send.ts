import { Agent, request } from 'node:http'

/** A new connection for each request, like clients behind a proxy without connection reuse: the most expensive case. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

/** A client that waits longer than this counts as unanswered. */
const patienceMs = 20_000

export interface Answer {
  /** 0 without an answer. */
  status: number
  /** Milliseconds until the headers of the answer. */
  after: number
  hasRetryAfter: boolean
}

interface Call {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

/** Resolves when the answer, which may be a stream, has ended. Never rejects. */
export function send({ method, url, headers, body }: Call): Promise<Answer> {
  return new Promise((resolve) => {
    const begun = performance.now()
    function readAge(): number {
      return performance.now() - begun
    }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(url, { method, agent, headers: { ...headers, ...type } }, (response) => {
      clearTimeout(patience)
      const answer: Answer = {
        status: response.statusCode ?? 0,
        after: readAge(),
        hasRetryAfter: response.headers['retry-after'] !== undefined,
      }
      response.once('close', () => resolve(answer)).resume()
    })
    const patience = setTimeout(() => sent.destroy(), patienceMs)
    sent.once('error', () => {
      clearTimeout(patience)
      resolve({ status: 0, after: readAge(), hasRetryAfter: false })
    })
    sent.end(body)
  })
}
