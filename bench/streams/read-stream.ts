import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

export interface StreamRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Text that the stream contains from the first token on. */
  firstToken: string
  /** Statuses with which a busy server refuses; by default 503 only. Others are errors. */
  refusals?: readonly number[]
}

export interface Timing {
  /** Milliseconds from the request to the first token, and to the end. */
  first: number
  whole: number
}

/** The server was too busy for the request. */
class Refused extends Error {}

/** Posts a request and reads its stream to the end, parsing no more than necessary. */
export function readStream(streamRequest: StreamRequest): Promise<Timing> {
  const { url, headers, body, firstToken, refusals = [503] } = streamRequest
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let first = Number.NaN
        let head = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          if (!Number.isNaN(first)) return
          head += text
          if (head.includes(firstToken)) first = performance.now() - begun
        })
        response.once('end', () => {
          if (response.statusCode === 200 && !Number.isNaN(first))
            resolve({ first, whole: performance.now() - begun })
          else {
            const Failure = refusals.includes(response.statusCode ?? 0) ? Refused : Error
            reject(new Failure(`${url} returned ${response.statusCode}: ${head.slice(0, 300)}`))
          }
        })
        response.once('error', reject)
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Null if the server was too busy. */
export async function readUnlessRefused(request: StreamRequest): Promise<Timing | null> {
  try {
    return await readStream(request)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

/** Starts streams one after another over `within` milliseconds, as users would, and reads all of them to the end. */
export async function readStreams(requests: readonly StreamRequest[], within: number) {
  const read = await Promise.all(
    requests.map(async (item, at) => {
      await new Promise((resolve) => setTimeout(resolve, (at * within) / requests.length))
      return readUnlessRefused(item)
    }),
  )
  const timings = read.filter((timing) => timing !== null)
  return { timings, refused: read.length - timings.length }
}
