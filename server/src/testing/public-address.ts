import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildTestApp, type TestApp } from './test-app.ts'

export interface PublicApp {
  app: TestApp
  /** The `PUBLIC_URL` of the server, which answers there. */
  url: string
  close(): Promise<void>
}

interface PublicOptions {
  env?: Record<string, string>
  /** Adds headers to each request, as a proxy can. */
  getHeaders?: () => Record<string, string>
}

/** A server that is reached at its own `PUBLIC_URL`. */
export async function buildPublicApp({
  env = {},
  getHeaders = () => ({}),
}: PublicOptions = {}): Promise<PublicApp> {
  let app: TestApp | null = null
  const proxy = createServer(async (incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const { hostname, port } = new URL((await app?.url()) ?? '')
    const request = { host: hostname, port, method, path, headers: { ...headers, ...getHeaders() } }
    const sent = forward(request, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`
  const built = await buildTestApp({ env: { ...env, PUBLIC_URL: url } })
  app = built
  return {
    app: built,
    url,
    async close() {
      proxy.close()
      proxy.closeAllConnections()
      await built.close()
    },
  }
}
