import { type ApiKeyInput, apiKeysApi } from '@lyceum/contract/api-keys'
import { documentsApi } from '@lyceum/contract/documents'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const handbook = `Staff handbook

Every employee has twenty days of paid leave a year. The manager of the department decides on the dates.

Unused days of leave lapse at the end of March of the following year.
`
const secret = 'The board plans to buy the lighthouse at Cape Finster for nine million.'
const question = 'How many days of paid leave does every employee have?'
const personnel = 'channel:personnel'

let model: ModelStandIn
let app: TestApp
let admin: TestUser
let mia: TestUser
let personnelId: string
let boardId: string
let handbookId: string
let secretId: string

async function addDocument(channelId: string, name: string, content: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  return body._id
}

async function createKey(changes: Partial<ApiKeyInput> = {}, as = mia): Promise<string> {
  const input: ApiKeyInput = {
    name: 'Agent',
    scopes: ['chat', 'documents'],
    channelIds: null,
    expiresInDays: 30,
  }
  return (await app.call(apiKeysApi.create, { as, body: { ...input, ...changes } })).body.key
}

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${await app.url()}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  return client
}

async function callTool(client: Client, name: string, args: Record<string, unknown>) {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args })
  const [first] = content as { type: string; text: string }[]
  return { isError, text: first?.text ?? '', output: structuredContent as Record<string, unknown> }
}

beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-model' } })
  admin = await createAdmin(app.deps)
  personnelId = await createTestChannel(app.deps, { name: 'Personnel' })
  boardId = await createTestChannel(app.deps, { name: 'Board' })
  handbookId = await addDocument(personnelId, 'handbook.txt', handbook)
  secretId = await addDocument(boardId, 'plans.txt', secret)
  await app.runJobs()
})
beforeEach(async () => {
  model.reset()
  mia = await createUser(app.deps, { channels: [personnelId] })
})
afterAll(async () => {
  await app.close()
  await model.close()
})

describe('POST /mcp', () => {
  it.each([
    ['no key', {}],
    ['an unknown key', { authorization: `Bearer lyceum_${'A'.repeat(43)}` }],
  ])('rejects %s', async (_, headers) => {
    const { status, headers: sent } = await app.raw({
      method: 'POST',
      path: '/mcp',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect([status, sent['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer /)])
  })

  it.each(['http://evil.example', 'null', 'http://localhost:3000.evil.example'])(
    'rejects requests of pages of the origin %s',
    async (origin) => {
      const { status, body } = await app.raw({
        method: 'POST',
        path: '/mcp',
        headers: {
          authorization: `Bearer ${await createKey()}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          origin,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
      expect([status, body]).toMatchObject([403, { error: { code: 'origin.not_allowed' } }])
    },
  )

  it.each([
    ['no JSON-RPC', { hello: 'world' }, 400],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'tools/destroy' }, 200],
  ])('answers %s with an error of the protocol', async (_, body, expected) => {
    const { status, bytes } = await app.raw({
      method: 'POST',
      path: '/mcp',
      headers: {
        authorization: `Bearer ${await createKey()}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    })
    expect(status).toBe(expected)
    expect(bytes.toString()).toContain('"error"')
  })
})

describe('the tools of a key', () => {
  it.each<[ApiKeyInput['scopes'], string[]]>([
    [['chat'], ['answer', 'list_channels']],
    [['documents'], ['list_channels', 'list_documents', 'read', 'search']],
  ])('with the scopes %j are %j', async (scopes, expected) => {
    const client = await connect(await createKey({ scopes }))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(expected)
    await client.close()
  })

  it.each<[string, Record<string, unknown>]>([
    ['search', { channel: personnel, query: '' }],
    ['search', { channel: personnel, query: 'leave', limit: 1000 }],
    ['read', { document_id: 'x', start: -1 }],
    ['answer', { channel: personnel }],
  ])('reject arguments that are not valid: %s %j', async (name, args) => {
    const client = await connect(await createKey())
    expect((await callTool(client, name, args)).isError).toBe(true)
    await client.close()
  })

  it('never reach other channels', async () => {
    const client = await connect(await createKey())
    const restricted = await connect(
      await createKey(
        { channelIds: [personnelId] },
        await createUser(app.deps, { channels: [personnelId, boardId] }),
      ),
    )
    for (const reader of [client, restricted]) {
      const results = [
        await callTool(reader, 'search', { channel: 'channel:board', query: 'lighthouse' }),
        await callTool(reader, 'search', { channel: `channel:${boardId}`, query: 'lighthouse' }),
        await callTool(reader, 'list_documents', { channel: 'channel:board' }),
        await callTool(reader, 'read', { document_id: secretId }),
        await callTool(reader, 'answer', { channel: 'channel:board', question: 'What does the board buy?' }),
      ]
      expect(results.map(({ isError }) => isError)).toEqual(Array(5).fill(true))
      const { resources } = await reader.listResources()
      expect(resources.map(({ name }) => name)).toEqual(['handbook.txt'])
      for (const uri of [`lyceum://documents/${secretId}`, `lyceum://documents/${secretId}/pages/1`])
        await expect(reader.readResource({ uri })).rejects.toThrow(/Not found/)
      const { output } = await callTool(reader, 'search', { channel: personnel, query: 'lighthouse' })
      expect(JSON.stringify([results, output])).not.toContain('Finster')
      await reader.close()
    }
  })
})

it('lists channels and documents, and reads what a search has found', async () => {
  const client = await connect(await createKey())
  expect((await callTool(client, 'list_channels', {})).output).toEqual({
    channels: [{ id: personnel, name: 'Personnel' }],
  })
  expect((await callTool(client, 'list_documents', { channel: personnel })).output).toEqual({
    documents: [
      { document_id: handbookId, title: 'handbook.txt', file_type: 'txt', version: 1, pages: null },
    ],
  })
  const found = await callTool(client, 'search', { channel: personnel, query: question })
  const { passages } = found.output as { passages: { document_id: string; text: string }[] }
  expect(passages[0]?.document_id).toBe(handbookId)
  const { output } = await callTool(client, 'read', { document_id: handbookId })
  expect(output).toMatchObject({ title: 'handbook.txt', version: 1, next_start: null })
  const { pages } = output as { pages: { text: string }[] }
  expect(pages[0]?.text).toContain(passages[0]?.text)
  const { contents } = await client.readResource({ uri: `lyceum://documents/${handbookId}` })
  expect(contents).toMatchObject([{ text: pages[0]?.text }])
  await client.close()
})

it('reads a long document in parts that join without a gap', async () => {
  const long = Array.from({ length: 4000 }, (_, at) => `Sentence ${at} of the report.`).join(' ')
  const channelId = await createTestChannel(app.deps, { name: 'Reports' })
  const id = await addDocument(channelId, 'report.txt', long)
  await app.runJobs()
  const client = await connect(await createKey({}, await createUser(app.deps, { channels: [channelId] })))
  const parts: string[] = []
  for (let start: number | null = 0; start !== null; ) {
    const { output } = await callTool(client, 'read', { document_id: id, start })
    const part = output as { pages: { text: string }[]; next_start: number | null }
    parts.push(...part.pages.map(({ text }) => text))
    start = part.next_start
  }
  expect(parts.length).toBeGreaterThan(4)
  expect(parts.join('').trim()).toBe(long)
  await client.close()
})

it('answers with citations whose quotes are in the document', async () => {
  model.always({ text: 'Twenty days a year [1].' })
  const client = await connect(await createKey())
  const { output, text } = await callTool(client, 'answer', { channel: personnel, question })
  expect(output).toMatchObject({ text: 'Twenty days a year [1].', is_refusal: false })
  const { citations } = output as { citations: { quote: string; document_id: string }[] }
  expect(citations.map(({ document_id }) => document_id)).toEqual([handbookId])
  expect(handbook).toContain(citations[0]?.quote)
  expect(text).toContain('[1] handbook.txt: “')
  await client.close()
})

it('says in words that a limit is reached', async () => {
  model.always({ text: 'Twenty days a year [1].' })
  model.pause()
  const client = await connect(await createKey())
  const running = [1, 2].map(() => callTool(client, 'answer', { channel: personnel, question }))
  await model.whenPaused(2)
  const { isError, text } = await callTool(client, 'answer', { channel: personnel, question })
  expect([isError, text]).toEqual([true, expect.stringMatching(/two replies|at a time/i)])
  model.resume()
  for (const { isError: hasFailed } of await Promise.all(running)) expect(hasFailed).toBe(false)
  await client.close()
})
