import { execFile } from 'node:child_process'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { apiKeysApi } from '@lyceum/contract/api-keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestChannel, createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const suite = fileURLToPath(
  new URL('dist/index.js', import.meta.resolve('@modelcontextprotocol/conformance/package.json')),
)

let app: TestApp
let proxy: Server
let origin: string
let key: string

/** Adds the key to each request, because the suite cannot send one. All other headers stay as the suite sent them. */
async function startKeyProxy(): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const { hostname, port } = new URL(await app.url())
    const request = { host: hostname, port, method, path }
    const sent = forward({ ...request, headers: { ...headers, authorization: `Bearer ${key}` } }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function runScenario(name: string): Promise<{ hasPassed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [suite, 'server', '--url', `${origin}/mcp`, '--scenario', name],
      (error, stdout, stderr) => resolve({ hasPassed: error === null, output: stdout + stderr }),
    )
  })
}

beforeAll(async () => {
  proxy = await startKeyProxy()
  origin = `http://localhost:${(proxy.address() as AddressInfo).port}`
  app = await buildTestApp({ env: { PUBLIC_URL: origin } })
  const user = await createUser(app.deps, { channels: [await createTestChannel(app.deps)] })
  const { body } = await app.call(apiKeysApi.create, {
    as: user,
    body: { name: 'Suite', scopes: ['chat', 'documents'], channelIds: null, expiresInDays: 7 },
  })
  key = body.key
})
afterAll(async () => {
  proxy.close()
  await app.close()
})

/** The other scenarios need tools, resources or prompts of a server made for tests: docs/api.md, "Conformance". */
describe('the conformance suite of the Model Context Protocol', () => {
  it('fails a scenario that does not apply', async () => {
    const { hasPassed, output } = await runScenario('prompts-list')
    expect(hasPassed, output).toBe(false)
  })

  it.each(['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'])(
    'passes %s',
    async (name) => {
      const { hasPassed, output } = await runScenario(name)
      expect(hasPassed, output).toBe(true)
      expect(output).toMatch(/Passed: [1-9]/)
    },
  )
})
