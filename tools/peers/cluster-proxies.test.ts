import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { createTrustedCertificate } from './certificate.ts'
import { type ReverseProxy, startCaddy, startNginx } from './proxies.ts'

/** Stands for a Lyceum server: answers with its name. Of the files of the web client, it has only one. */
interface Node {
  port: string
  isReady: boolean
  start(): Promise<void>
  stop(): Promise<void>
}

async function createNode(name: string): Promise<Node> {
  const port = await findFreePort()
  let server: Server | null = null
  const node: Node = {
    port: String(port),
    isReady: true,
    async start() {
      server = createServer((request, response) => {
        const isMissing = request.url?.startsWith('/assets/') && request.url !== `/assets/${name}.js`
        const isUnready = request.url === '/readyz' && !node.isReady
        response.statusCode = isMissing ? 404 : isUnready ? 503 : 200
        request.resume().once('end', () => response.end(name))
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop() {
      if (server === null) return
      server.closeAllConnections()
      await new Promise((resolve) => server?.close(resolve))
      server = null
    },
  }
  await node.start()
  return node
}

describe.each([
  ['nginx', startNginx, false],
  ['Caddy', startCaddy, true],
])('%s in front of two servers', (_, startProxy, asksForReadiness) => {
  let folder: string
  let first: Node
  let second: Node
  let proxy: ReverseProxy
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-proxies-'))
    ;[first, second] = [await createNode('first'), await createNode('second')]
    const certificate = createTrustedCertificate(folder)
    proxy = await startProxy({ folder, certificate, serverPort: first.port, secondPort: second.port })
  }, 600_000)
  afterEach(async () => {
    await proxy?.stop()
    await first.stop()
    await second.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Which servers answer several requests. */
  async function listAnswers(method: 'GET' | 'POST'): Promise<string[]> {
    const answers = new Set<string>()
    for (let times = 0; times < 10; times += 1) {
      const body = method === 'POST' ? '{"message":"Count"}' : null
      const response = await fetch(`${proxy.https}/api/auth/me`, { method, body })
      answers.add(response.status === 200 ? await response.text() : `status ${response.status}`)
    }
    return [...answers].sort()
  }

  it('sends requests to both, and at once to the other when one ends', async () => {
    await expect.poll(() => listAnswers('GET')).toEqual(['first', 'second'])
    await first.stop()
    expect(await listAnswers('GET')).toEqual(['second'])
    await first.start()
    await expect.poll(() => listAnswers('GET')).toEqual(['first', 'second'])
  })

  it('soon sends no body to a server that has ended', async () => {
    await expect.poll(() => listAnswers('POST')).toEqual(['first', 'second'])
    await first.stop()
    await expect.poll(() => listAnswers('POST')).toEqual(['second'])
  })

  it('finds the files of both, because a page may ask the server of another version', async () => {
    const statuses = new Map<string, Set<number>>()
    for (let times = 0; times < 10; times += 1)
      for (const name of ['first', 'second', 'neither']) {
        const { status } = await fetch(`${proxy.https}/assets/${name}.js`)
        statuses.set(name, (statuses.get(name) ?? new Set()).add(status))
      }
    expect([...statuses].map(([name, found]) => [name, ...found])).toEqual([
      ['first', 200],
      ['second', 200],
      ['neither', 404],
    ])
  })

  // nginx does not ask.
  if (asksForReadiness)
    it('sends no requests to a server that is not ready', async () => {
      first.isReady = false
      await expect.poll(() => listAnswers('POST')).toEqual(['second'])
      first.isReady = true
      await expect.poll(() => listAnswers('POST')).toEqual(['first', 'second'])
    })

  it('answers in the format of the API when no server answers', async () => {
    await first.stop()
    await second.stop()
    const response = await fetch(`${proxy.https}/api/auth/me`)
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'server.busy' }),
    ])
  })
})
