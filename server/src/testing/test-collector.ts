import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface CollectorEvent {
  activity_name: string
  metadata: { sequence: number; uid: string }
  unmapped: { previous_hash: string; hash: string }
}

/** An HTTP server that gets events as a collector does. */
export interface TestCollector {
  url: string
  readonly requests: { headers: IncomingHttpHeaders; events: CollectorEvent[] }[]
  listActions(): string[]
  listSeqs(): number[]
  /** From now on, all requests get this response. */
  answerWith(status: number, headers?: Record<string, string>): void
  /** From now on, all requests are left to this function, after their body has been read. */
  handleWith(handle: (response: ServerResponse) => void): void
  forget(): void
  close(): Promise<void>
}

/** Stores the events of all requests, also of those that it refuses. */
export async function startTestCollector(): Promise<TestCollector> {
  const requests: TestCollector['requests'] = []
  let handle: (response: ServerResponse) => void = (response) => response.end()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ headers: request.headers, events: JSON.parse(body) as CollectorEvent[] })
      handle(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  function listEvents(): CollectorEvent[] {
    return requests.flatMap(({ events }) => events)
  }
  return {
    url: `http://127.0.0.1:${port}/events`,
    requests,
    listActions: () => listEvents().map(({ activity_name }) => activity_name),
    listSeqs: () => listEvents().map(({ metadata }) => metadata.sequence),
    answerWith(status, headers = {}) {
      handle = (response) => response.writeHead(status, headers).end()
    },
    handleWith(next) {
      handle = next
    },
    forget() {
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
