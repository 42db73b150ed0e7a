import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface HookRequest {
  headers: Record<string, string>
  body: string
  payload: { type: string; timestamp: string; data: Record<string, unknown> }
}

/** An HTTP server that gets webhooks. */
export interface TestHook {
  url: string
  readonly requests: HookRequest[]
  /** From now on, all requests get this status. */
  answerWith(status: number): void
  /** From now on, requests are read and get no response. */
  answerNever(): void
  close(): Promise<void>
}

export async function startTestHook(): Promise<TestHook> {
  const requests: HookRequest[] = []
  let status: number | null = 200
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Record<string, string>
      requests.push({ headers, body, payload: JSON.parse(body) as HookRequest['payload'] })
      if (status !== null) response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook/token`,
    requests,
    answerWith(next) {
      status = next
    },
    answerNever() {
      status = null
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
