import { type ApiKeyInput, apiKeysApi } from '@lyceum/contract/api-keys'
import { documentsApi } from '@lyceum/contract/documents'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

/** Where the answer to a question is: in the channel of the key, or where the key must not find it. */
type Place = 'allowed' | 'other channel' | 'pending' | 'rejected' | 'deleted' | 'superseded'

interface Secret {
  place: Place
  question: string
  word: string
  documentId: string
}

const minute = 60_000
/** Questions for which three replies each stay below the limit of a minute. */
const questionsPerMinute = 8
const towns = ['Aalborg', 'Bergen', 'Cardiff', 'Dresden', 'Esbjerg', 'Fulda', 'Ghent', 'Haarlem']
const animals: Record<Place, string> = {
  allowed: 'heron',
  'other channel': 'falcon',
  pending: 'badger',
  rejected: 'otter',
  deleted: 'lynx',
  superseded: 'marten',
}

let model: ModelStandIn
let app: TestApp
let admin: TestUser
let reader: TestUser
let staffId: string
let boardId: string
let secrets: Secret[]

async function addDocument(channelId: string, name: string, content: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  return body._id
}

/** Adds a document to where the key must, or must not, find it. */
async function createSecret(place: Place, town: string): Promise<Secret> {
  const word = `${animals[place]}-${town.toUpperCase()}`
  const text = `The ${place} vault code of ${town} is ${word}. Nobody else knows it.`
  const documentId = await addDocument(place === 'other channel' ? boardId : staffId, `${town}.txt`, text)
  const params = { id: documentId }
  if (place === 'rejected') await app.call(documentsApi.reject, { as: admin, params })
  else if (place !== 'pending') await app.call(documentsApi.approve, { as: admin, params })
  await app.runJobs()
  if (place === 'deleted') await app.call(documentsApi.remove, { as: admin, params })
  if (place === 'superseded') {
    await app.upload(documentsApi.replace, {
      as: admin,
      params,
      file: { name: 'withdrawn.txt', content: `The note about ${town} was withdrawn.` },
    })
    await app.call(documentsApi.approve, { as: admin, params })
  }
  return { place, question: `What is the ${place} vault code of ${town}?`, word, documentId }
}

beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-model' } })
  admin = await createAdmin(app.deps)
  staffId = await createTestChannel(app.deps, { name: 'Staff' })
  boardId = await createTestChannel(app.deps, { name: 'Board' })
  // May read both channels, while the key may read one.
  reader = await createUser(app.deps, { channels: [staffId, boardId] })
  secrets = []
  for (const place of Object.keys(animals) as Place[])
    for (const town of towns) secrets.push(await createSecret(place, town))
  await app.runJobs()
})
afterAll(async () => {
  await app.close()
  await model.close()
})

async function createKey(): Promise<string> {
  const input: ApiKeyInput = {
    name: 'Agent',
    scopes: ['chat', 'documents'],
    channelIds: [staffId],
    expiresInDays: 30,
  }
  return (await app.call(apiKeysApi.create, { as: reader, body: input })).body.key
}

/** What each way in returns for a secret. */
async function collectAnswers(openai: OpenAI, mcp: Client, { question, documentId, place }: Secret) {
  async function write(answer: Promise<unknown>): Promise<string> {
    return JSON.stringify(await answer.catch(String))
  }
  function complete(channel: string) {
    return openai.chat.completions.create({
      model: channel,
      messages: [{ role: 'user', content: question }],
    })
  }
  function callTool(name: string, args: Record<string, unknown>) {
    return mcp.callTool({ name, arguments: args })
  }
  const [staff, board] = ['channel:staff', 'channel:board']
  const uri = `lyceum://documents/${documentId}`
  return {
    inChannel: {
      completion: await write(complete(staff)),
      response: await write(openai.responses.create({ model: staff, input: question })),
      answer: await write(callTool('answer', { channel: staff, question })),
      search: await write(callTool('search', { channel: staff, query: question, limit: 20 })),
      read: await write(callTool('read', { document_id: documentId })),
      resource: await write(mcp.readResource({ uri })),
    },
    elsewhere: {
      words: await write(callTool('search', { channel: staff, query: `${animals[place]} code` })),
      completion: await write(complete(board)),
      response: await write(openai.responses.create({ model: board, input: question })),
      answer: await write(callTool('answer', { channel: board, question })),
      search: await write(callTool('search', { channel: board, query: question })),
    },
  }
}

it('shows no document that the key may not see, whatever is asked', async () => {
  const key = await createKey()
  const openai = new OpenAI({ apiKey: key, baseURL: `${await app.url()}/v1`, maxRetries: 0 })
  const mcp = new Client({ name: 'test', version: '1' })
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(`${await app.url()}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  const hidden = secrets.filter(({ place }) => place !== 'allowed')
  expect(hidden).toHaveLength(40)
  const leaks: string[] = []
  for (const [at, secret] of secrets.entries()) {
    if (at % questionsPerMinute === 0) app.advance(minute)
    const { inChannel, elsewhere } = await collectAnswers(openai, mcp, secret)
    const ways = [...Object.entries(inChannel), ...Object.entries(elsewhere)].filter(([, text]) =>
      text.includes(secret.word),
    )
    if (secret.place !== 'allowed') leaks.push(...ways.map(([way]) => `${way}: ${secret.word}`))
    // Each way finds what it may find, so that the others were really looked for.
    else for (const text of Object.values(inChannel)) expect(text).toContain(secret.word)
  }
  expect(leaks).toEqual([])
  const listed = JSON.stringify([
    await mcp.callTool({ name: 'list_documents', arguments: { channel: 'channel:staff' } }),
    await mcp.callTool({ name: 'list_documents', arguments: { channel: 'channel:board' } }),
    await mcp.listResources(),
  ])
  await mcp.close()
  // The newest version of a superseded document is in the channel.
  const unlisted = hidden.filter(({ place }) => place !== 'superseded')
  expect(unlisted.filter(({ documentId }) => listed.includes(documentId))).toEqual([])
  // Nothing of them reached the language model either. Embeddings were requested when they were indexed.
  const prompts = JSON.stringify(
    model.requests.filter(({ path }) => !path.endsWith('/embeddings')).map(({ body }) => body),
  )
  expect(prompts).toContain(animals.allowed)
  expect(hidden.filter(({ word }) => prompts.includes(word))).toEqual([])
})
