import { documentsApi } from '@lyceum/contract/documents'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { findPassages } from './retrieval.ts'

let app: TestApp
let admin: TestUser
let channelId: string
let server: ModelStandIn
beforeEach(async () => {
  server = await startModelStandIn()
  app = await buildTestApp({ env: { RERANK_URL: `${server.url}/rerank`, RERANK_MODEL: 'judge' } })
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: {
      name: 'hours.txt',
      content: ['gate', 'gate and wall', 'gate and wall and tower']
        .map((text, at) => `# Part ${at}\n\nThe ${text} is closed in winter.`)
        .join('\n\n'),
    },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  await app.runJobs()
})
afterEach(async () => {
  await app.close()
  await server.close()
})

async function search(limit = 8): Promise<number[]> {
  const found = await findPassages(app.deps, { channelId, question: 'When is the gate closed?', limit })
  return found.map(({ ordinal }) => ordinal)
}

/** Lets the reranker prefer the passages of the search in the reverse order. */
function reverse(): void {
  const results = [0, 1, 2].map((index) => ({ index, relevance_score: index }))
  const body = JSON.stringify({ results })
  server.always({ on: 'reranking', fault: { kind: 'body', contentType: 'application/json', body } })
}

async function searchWithoutReranker(): Promise<number[]> {
  const { assistant } = app.deps
  app.deps.assistant = { chat: null, embedder: null, reranker: null, external: null }
  const found = await search()
  app.deps.assistant = assistant
  return found
}

async function readStatus() {
  const { parts } = (await app.call(statusApi.get, { as: admin })).body
  return parts.find(({ part }) => part === 'reranking')
}

it('puts the passages first that the reranker prefers, also those that the search put behind the limit', async () => {
  reverse()
  const inOrder = await searchWithoutReranker()
  expect(await search()).toEqual(inOrder.toReversed())
  expect(await search(1)).toEqual(inOrder.slice(-1))
  expect(server.requests[0]?.body).toMatchObject({
    model: 'judge',
    query: 'When is the gate closed?',
    documents: expect.arrayContaining([expect.stringMatching(/^hours\.txt > Part \d\nThe gate/)]),
  })
  expect(await readStatus()).toMatchObject({ state: 'ok' })
})

it('gives the reranker the earlier question only if this one depends on it', async () => {
  reverse()
  const asked = { channelId, question: 'When is it closed?', earlierQuestion: 'Where is the gate?', limit: 8 }
  await findPassages(app.deps, { ...asked, isFollowUp: true })
  await findPassages(app.deps, { ...asked, isFollowUp: false })
  expect(server.requests.map(({ body }) => body)).toMatchObject([
    { query: 'Where is the gate?\nWhen is it closed?' },
    { query: 'When is it closed?' },
  ])
})

describe('keeps the order of the search', () => {
  it.each([
    ['answers 500', { kind: 'status', status: 500 }, / answered with an error \(500\)\./],
    ['closes the connection', { kind: 'reset' }, /^No server answers at http\S+\./],
    ['does not answer', { kind: 'hang' }, / did not answer in time\./],
    [
      'returns too few results',
      { kind: 'body', contentType: 'application/json', body: '{"results":[]}' },
      / gave no usable answer with judge\./,
    ],
  ] as const)('when the reranker %s, and says so', async (_, fault, reason) => {
    const inOrder = await searchWithoutReranker()
    server.always({ on: 'reranking', fault })
    for (let at = 0; at < 4; at += 1) expect(await search()).toEqual(inOrder)
    expect(server.requests).toHaveLength(3)
    await expect.poll(readStatus).toMatchObject({
      state: 'failing',
      words: expect.stringMatching(
        new RegExp(`${reason.source} .*Results keep their search order until it answers again\\.$`),
      ),
    })
    reverse()
    app.advance(60_000)
    expect(await search()).toEqual(inOrder.toReversed())
    await expect.poll(readStatus).toMatchObject({ state: 'ok' })
  })
})
