import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createOauthProgram } from '#testing/oauth-program.ts'
import { createProgramStorage } from '#testing/program-storage.ts'
import { buildPublicApp, type PublicApp } from '#testing/public-address.ts'

const redirectUri = 'http://localhost:4567/callback'

let server: PublicApp
let mia: TestUser
let model: ModelStandIn
beforeAll(async () => {
  model = await startModelStandIn()
  server = await buildPublicApp({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-model' } })
  const channelId = await createTestChannel(server.app.deps, { name: 'Astronomy' })
  mia = await createUser(server.app.deps, { channels: [channelId] })
})
afterAll(async () => {
  await server.close()
  await model.close()
})

function createTransport(provider: OAuthClientProvider): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: provider })
}
async function connect(provider: OAuthClientProvider): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(createTransport(provider))
  return client
}
function decide(query: string, allowed: { channelIds: null; expiresInDays: 90 } | null) {
  return server.app.call(connectedProgramsApi.decide, { as: mia, body: { query, allowed } })
}

it('connects the protocol’s own client by the address alone', async () => {
  const { stored, provider } = createProgramStorage(redirectUri)
  await expect(connect(provider)).rejects.toThrow(UnauthorizedError)
  const asked = stored['asked'] as URL
  expect(asked.href).toMatch(`${server.url}/connect?`)
  expect(asked.searchParams.get('resource')).toBe(`${server.url}/mcp`)

  const denied = await decide(asked.search.slice(1), null)
  const denial = new URL(denied.body.url).searchParams
  await expect(createTransport(provider).finishAuth(denial)).rejects.toThrow(/access_denied/)

  const { body } = await decide(asked.search.slice(1), { channelIds: null, expiresInDays: 90 })
  const { searchParams } = new URL(body.url)
  expect(searchParams.get('state')).toBe('state-of-the-program')
  await createTransport(provider).finishAuth(searchParams)
  const client = await connect(provider)
  const { structuredContent } = await client.callTool({ name: 'list_channels', arguments: {} })
  expect(structuredContent).toEqual({ channels: [{ id: 'channel:astronomy', name: 'Astronomy' }] })

  const before = stored['tokens'] as { access_token: string }
  server.app.advance(3_600_000)
  await client.callTool({ name: 'list_channels', arguments: {} })
  expect((stored['tokens'] as { access_token: string }).access_token).not.toBe(before.access_token)

  const { body: programs } = await server.app.call(connectedProgramsApi.list, { as: mia })
  expect(programs).toMatchObject([{ name: 'Agent of the tests', destination: 'localhost:4567' }])
  for (const { _id: id } of programs)
    await server.app.call(connectedProgramsApi.revoke, { as: mia, params: { id } })
  stored['asked'] = undefined
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await expect(client.callTool({ name: 'list_channels', arguments: {} })).rejects.toThrow(UnauthorizedError)
  expect(stored['asked']).toBeInstanceOf(URL)
  expect(warn.mock.calls.flat().join()).toContain('invalid_grant')
  warn.mockRestore()
  await client.close()
})

it('gives no answer to a program that is disconnected while it waits', async () => {
  const program = createOauthProgram(server.app)
  const { access_token } = await program.connect(mia)
  model.always({ text: 'The sun is a star.' })
  model.pause()
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${access_token}` } },
    }),
  )
  const asked = client.callTool({
    name: 'answer',
    arguments: { channel: 'channel:astronomy', question: 'What is the sun?' },
  })
  await model.whenPaused(1)
  const { body: programs } = await server.app.call(connectedProgramsApi.list, { as: mia })
  for (const { _id: id } of programs)
    await server.app.call(connectedProgramsApi.revoke, { as: mia, params: { id } })
  model.resume()
  const { isError, content } = await asked
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.not.stringContaining('star')])
  await client.close()
})
