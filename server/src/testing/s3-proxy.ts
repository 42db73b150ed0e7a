import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * `unavailable`: answers 503. `silent`: never answers. `slow`: passes on a kilobyte a second. `cut`: cuts the connection in
 * the middle of the body. `wrong-bytes`: changes a byte of the body. `lost-answer`: cuts the connection instead of passing
 * on the answer.
 */
export type S3Fault = 'unavailable' | 'silent' | 'slow' | 'cut' | 'wrong-bytes' | 'lost-answer'

interface SeenRequest {
  method: string
  headers: IncomingHttpHeaders
}

/** A proxy in front of an S3 server that fails like a network and like a busy server. */
export interface S3Proxy {
  url: string
  /** All requests so far. */
  requests: SeenRequest[]
  /** Lets the next requests fail, or only those with a method or with a text in their path. */
  fail(fault: S3Fault, options?: { method?: string; path?: string; times?: number }): void
  recover(): void
  close(): Promise<void>
}

const busy =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>'

/** Passes on a body, with a fault. Returns whether it is complete. */
async function passBody(source: IncomingMessage, target: Writable, fault: S3Fault | null): Promise<boolean> {
  const half = Number(source.headers['content-length'] ?? 0) / 2
  let passed = 0
  async function write(chunk: Buffer): Promise<void> {
    passed += chunk.length
    if (target.destroyed || target.write(chunk)) return
    const settled = new AbortController()
    await Promise.race(['drain', 'close'].map((event) => once(target, event, settled)))
    settled.abort()
  }
  for await (const chunk of source as AsyncIterable<Buffer>) {
    if (fault === 'wrong-bytes' && passed === 0) chunk[0] = (chunk[0] ?? 0) ^ 1
    if (fault === 'cut' && passed + chunk.length > half) {
      // Half of the body must arrive before the connection is cut.
      await new Promise((resolve) => target.write(chunk.subarray(0, Math.floor(half - passed)), resolve))
      return false
    }
    if (fault !== 'slow') await write(chunk)
    else
      for (let at = 0; at < chunk.length && !target.destroyed; at += 1024) {
        await write(chunk.subarray(at, at + 1024))
        await pause(1000)
      }
  }
  return true
}

export async function startS3Proxy(url: string): Promise<S3Proxy> {
  const { hostname, port } = new URL(url)
  const requests: SeenRequest[] = []
  let failing: { fault: S3Fault; method: string | undefined; path: string; left: number } | null = null

  function takeFault(method: string, path: string): S3Fault | null {
    if (failing === null || failing.left === 0) return null
    if ((failing.method ?? method) !== method || !path.includes(failing.path)) return null
    failing.left -= 1
    return failing.fault
  }

  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    requests.push({ method, headers })
    const fault = takeFault(method, path)
    const client = incoming.socket
    if (fault === 'silent') return
    if (fault === 'unavailable') {
      incoming.resume()
      outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(busy)
      return
    }
    const { expect: _expect, connection: _connection, ...passed } = headers
    const forwarded = request({ hostname, port, method, path, headers: passed, agent: false })
    function cut(): void {
      forwarded.destroy()
      client.destroy()
    }
    client.once('close', () => forwarded.destroy())
    forwarded.on('error', cut)
    forwarded.once('response', (response) => {
      if (fault === 'lost-answer') {
        response.resume().once('end', cut)
        return
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      passBody(response, outgoing, method === 'GET' ? fault : null).then(
        (isComplete) => (isComplete ? outgoing.end() : cut()),
        cut,
      )
    })
    passBody(incoming, forwarded, method === 'PUT' ? fault : null).then(
      (isComplete) => (isComplete ? forwarded.end() : cut()),
      cut,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fail(fault, { method, path = '', times = Number.POSITIVE_INFINITY } = {}) {
      failing = { fault, method, path, left: times }
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
