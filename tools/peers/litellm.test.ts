import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AssistantEvent, createAssistant } from '../../server/src/providers/assistant/assistant.ts'
import { ModelError, type ModelRequest } from '../../server/src/providers/assistant/port.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type LiteLlm, liteLlmKey, startLiteLlm } from './litellm.ts'

const answer = 'Rooms close at nine — please leave them tidy. 漢字 🗞️'
const mocks = {
  'gpt-4o': answer,
  'gpt-6-luna': 'A reasoning model answers.',
  'rate-limited': 'litellm.RateLimitError',
  broken: 'litellm.InternalServerError',
  'too-long': 'litellm.ContextWindowExceededError',
  'one-vector': [0.25, -0.5, 0.125, 1],
}

let folder: string
let peer: LiteLlm
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-litellm-'))
  peer = await startLiteLlm(folder, mocks)
}, 600_000)
afterAll(async () => {
  await peer?.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Outcome {
  pieces: string[]
  finish: unknown
  error: unknown
  log: AssistantEvent[]
}

/** Asks one question of the model that the map gives for the label. */
async function ask(model: string, apiKey = liteLlmKey): Promise<Outcome> {
  const log: AssistantEvent[] = []
  const { chat } = createAssistant({
    baseUrl: peer.url,
    apiKey,
    modelMap: { '*': model },
    now: Date.now,
    wait: async () => undefined,
    log: (event) => void log.push(event),
  })
  const outcome: Outcome = { pieces: [], finish: null, error: null, log }
  const turns: ModelRequest['turns'] = [
    { role: 'system', content: 'Answer from the handbook.' },
    { role: 'user', content: 'When do rooms close?' },
  ]
  const signal = new AbortController().signal
  try {
    for await (const event of chat?.reply({ label: 'gpt-4o', turns, allowWebSearch: false, signal }) ?? [])
      if (event.type === 'text') outcome.pieces.push(event.text)
      else outcome.finish = event
  } catch (error) {
    outcome.error = error
  }
  return outcome
}

function embed(model: string, texts: readonly string[]) {
  const { embedder } = createAssistant({
    baseUrl: peer.url,
    apiKey: liteLlmKey,
    embedding: { baseUrl: peer.url, apiKey: liteLlmKey, model, queryPrefix: '', passagePrefix: '' },
    modelMap: {},
    now: Date.now,
    wait: async () => undefined,
  })
  if (!embedder) throw new Error('there is no embedder')
  return embedder.embed(texts, 'passage', new AbortController().signal)
}

describe('a reply from LiteLLM', () => {
  it.each([
    ['rate-limited', 'assistant.busy'],
    ['broken', 'assistant.unavailable'],
    ['too-long', 'assistant.unavailable'],
    ['unknown-model', 'assistant.unavailable'],
  ])('fails with a code of ours when the model is %s', async (model, code) => {
    const { error, pieces } = await ask(model)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ code })
    expect(pieces).toEqual([])
  })

  it('fails without revealing the key when the key is wrong', async () => {
    const key = 'sk-0f1e2d3c4b5a6978'
    const { error, log } = await ask('gpt-4o', key)
    expect(error).toMatchObject({ code: 'assistant.unavailable' })
    expect(JSON.stringify([String(error), log])).not.toContain(key)
  })

  it.each(['gpt-4o', 'gpt-6-luna'] as const)('arrives in full, with its usage, from %s', async (model) => {
    const { pieces, finish, error } = await ask(model)
    expect(error).toBeNull()
    expect(pieces.join('')).toBe(mocks[model])
    expect(finish).toMatchObject({ reason: 'stop', usage: { estimated: false } })
  })
})

describe('embeddings from LiteLLM', () => {
  it('are refused when there are fewer vectors than texts', async () => {
    await expect(embed('one-vector', ['first', 'second'])).rejects.toBeInstanceOf(ModelError)
  })

  it('are read when there is a vector for each text', async () => {
    const { vectors } = await embed('one-vector', ['first'])
    expect(vectors.map((vector) => vector.length)).toEqual([4])
  })
})

it('a message is answered through LiteLLM, and fails plainly while LiteLLM is down', async () => {
  const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }
  const server = await spawnServer({
    DATA_DIR: join(folder, 'data'),
    OPENAI_BASE_URL: peer.url,
    OPENAI_API_KEY: liteLlmKey,
    EMBEDDING_MODEL: 'none',
  })
  try {
    const visitor = createHttpClient(server.url, '')
    await visitor.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
    const { token = '' } = await visitor.call(authApi.login, { body: owner })
    const client = createHttpClient(server.url, token)
    const { _id: channelId } = await client.call(channelsApi.create, {
      body: { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' },
    })
    const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
    const message = { params: { channelId, chatId }, body: { message: 'When do rooms close?' } }
    expect((await client.call(chatsApi.send, message)).reply).toMatchObject({
      state: 'complete',
      content: answer,
    })

    await peer.stop()
    const refused = await client.request(chatsApi.send, message)
    expect(refused.status).toBe(502)

    peer = await startLiteLlm(folder, mocks, Number(new URL(peer.url).port))
    expect((await client.call(chatsApi.send, message)).reply).toMatchObject({
      state: 'complete',
      content: answer,
    })
  } finally {
    await server.stop()
  }
}, 300_000)
