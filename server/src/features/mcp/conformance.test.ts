import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { apiKeysApi } from '@lyceum/contract/api-keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestChannel, createUser } from '#testing/factories.ts'
import { buildPublicApp, type PublicApp } from '#testing/public-address.ts'

const suite = fileURLToPath(
  new URL('dist/index.js', import.meta.resolve('@modelcontextprotocol/conformance/package.json')),
)

let server: PublicApp
let key = ''

function runScenario(name: string): Promise<{ hasPassed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [suite, 'server', '--url', `${server.url}/mcp`, '--scenario', name],
      (error, stdout, stderr) => resolve({ hasPassed: error === null, output: stdout + stderr }),
    )
  })
}

beforeAll(async () => {
  // The suite cannot send a key.
  server = await buildPublicApp({ getHeaders: () => ({ authorization: `Bearer ${key}` }) })
  const { app } = server
  const user = await createUser(app.deps, { channels: [await createTestChannel(app.deps)] })
  const { body } = await app.call(apiKeysApi.create, {
    as: user,
    body: { name: 'Suite', scopes: ['chat', 'documents'], channelIds: null, expiresInDays: 7 },
  })
  key = body.key
})
afterAll(() => server.close())

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
