import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** `silent`: never answers. `down`: cuts the connection. Otherwise what is answered instead. */
export type OpenSearchFault = 'silent' | 'down' | { status: number; body: string }

/** A proxy in front of OpenSearch that fails like a network, and like other servers. */
export interface OpenSearchProxy {
  url: string
  /** The headers of all requests so far. */
  requests: IncomingHttpHeaders[]
  /** Lets requests fail whose path contains a text. */
  fail(fault: OpenSearchFault, path?: string): void
  recover(): void
  close(): Promise<void>
}

export async function startOpenSearchProxy(target: string): Promise<OpenSearchProxy> {
  const requests: IncomingHttpHeaders[] = []
  let failing: { fault: OpenSearchFault; path: string } | null = null

  function findFault(path: string): OpenSearchFault | null {
    return failing !== null && path.includes(failing.path) ? failing.fault : null
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { url: path = '', method = '', headers } = incoming
    requests.push(headers)
    const body = await text(incoming)
    const fault = findFault(path)
    if (fault === 'silent') return
    if (fault === 'down') {
      outgoing.destroy()
      return
    }
    if (fault !== null) {
      outgoing.writeHead(fault.status).end(fault.body)
      return
    }
    const response = await fetch(`${target}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    outgoing.writeHead(response.status).end(await response.text())
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fail(fault, path = '') {
      failing = { fault, path }
    },
    recover() {
      failing = null
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
