import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex').toUpperCase()
}

export interface RangeServer {
  url: string
  /** The paths of all requests. */
  paths: string[]
  close(): void
}

/** Starts a server on loopback that knows breached passwords and speaks the range protocol of Have I Been Pwned. */
export async function startRangeServer(respond: RequestListener): Promise<RangeServer> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    respond(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`,
    paths,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Answers with the given lines of hash and count that belong to the requested prefix. */
export function respondWith(entries: Record<string, number>): RequestListener {
  return ({ url = '' }, response) => {
    const prefix = url.slice(-5)
    const lines = Object.entries(entries)
      .filter(([hash]) => hash.startsWith(prefix))
      .map(([hash, count]) => `${hash.slice(5)}:${count}\r\n`)
    response.end(`0018A45C4D1DEF81644B54AB7F969B88D65:3\r\n${lines.join('')}`)
  }
}
