import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { buildPath } from '../../server/src/testing/build-path.ts'
import { type BenchUsers, createBenchUsers } from '../bench-users.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { measureBothSizes, type Records } from '../records.ts'
import { type Process, startServerOn } from '../server-process.ts'
import { startModel } from '../streams/processes.ts'
import { readStream } from '../streams/read-stream.ts'
import { withDeps } from '../with-deps.ts'

const runsPerCall = 300
const runsPerSend = 60
const warmUp = 40
const pageSize = 20

interface Call {
  label: string
  path: string
  token: string
  max: number
}

function listCalls({ token, adminToken, channelId, longChatId, shortChatId }: BenchUsers): Call[] {
  function call(
    label: string,
    as: string,
    max: number,
    endpoint: EndpointShape,
    params: Record<string, string>,
    query: Record<string, unknown>,
  ): Call {
    return { label, token: as, max, path: buildPath(endpoint, params, query) }
  }
  return [
    call('own channels', token, 50, channelsApi.list, {}, {}),
    call('all channels, first page', adminToken, 50, channelsApi.list, {}, { limit: pageSize }),
    call('chats of a channel', token, 50, chatsApi.list, { channelId }, { limit: pageSize }),
    call('documents, first page', adminToken, 50, documentsApi.list, {}, { limit: pageSize }),
    call('documents, pending', adminToken, 50, documentsApi.list, {}, { limit: pageSize, status: 'pending' }),
    call(
      'documents, by part of a name',
      adminToken,
      50,
      documentsApi.list,
      {},
      { limit: pageSize, search: 'ment 19' },
    ),
    call('open a chat of 10', token, 150, chatsApi.get, { channelId, chatId: shortChatId }, {}),
    call('open a chat of 2,000', token, 150, chatsApi.get, { channelId, chatId: longChatId }, {}),
  ]
}

async function timeRequest(url: string, token: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return performance.now() - begun
}

async function repeat(count: number, work: () => Promise<number>): Promise<number[]> {
  for (let at = 0; at < Math.min(warmUp, count); at += 1) await work()
  const times: number[] = []
  for (let at = 0; at < count; at += 1) times.push(await work())
  return times
}

function timeSending(server: Process, { token, channelId }: BenchUsers, chatId: string): Promise<number[]> {
  return repeat(runsPerSend, async () => {
    const { whole } = await readStream({
      url: server.url + buildPath(chatsApi.send, { channelId, chatId }),
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'And what else is there to know?' }),
      firstToken: 'Alpha',
    })
    return whole
  })
}

function timeModel(model: Process): Promise<number[]> {
  return repeat(runsPerSend, async () => {
    const { whole } = await readStream({
      url: `${model.url}/v1/chat/completions`,
      headers: {},
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
      firstToken: 'Alpha',
    })
    return whole
  })
}

interface Times {
  calls: { call: Call; times: number[] }[]
  floor: number[]
  model: number[]
  short: number[]
  long: number[]
}

function measureCalls(
  { folder, size, logStep }: Records,
  databaseEnv: Record<string, string>,
): Promise<Times> {
  return withModel(async (model) => {
    const env = { ...databaseEnv, OPENAI_BASE_URL: `${model.url}/v1`, EMBEDDING_MODEL: 'none' }
    const users = await withDeps(folder, createBenchUsers, env)
    const server = await startServerOn(folder, env)
    try {
      logStep(`calling at ${size.name} messages`)
      const floor = await repeat(runsPerCall, () => timeRequest(`${server.url}/healthz`, ''))
      const calls: Times['calls'] = []
      for (const call of listCalls(users))
        calls.push({
          call,
          times: await repeat(runsPerCall, () => timeRequest(server.url + call.path, call.token)),
        })
      return {
        calls,
        floor,
        model: await timeModel(model),
        short: await timeSending(server, users, users.shortChatId),
        long: await timeSending(server, users, users.longChatId),
      }
    } finally {
      await server.stop()
    }
  })
}

async function withModel<R>(work: (model: Process) => Promise<R>): Promise<R> {
  const model = await startModel({ tokens: 5, delayMs: 0 })
  try {
    return await work(model)
  } finally {
    await model.stop()
  }
}

function computeGrowth(before: readonly number[], after: readonly number[]): number {
  return percentile(after, 50) / percentile(before, 50)
}

function toFigures(before: Times, after: Times): Figure[] {
  const floor = percentile(after.floor, 50)
  const reads = after.calls.flatMap(({ call: { label, max }, times }, at): Figure[] => {
    const atSmall = before.calls[at]?.times ?? []
    return [
      {
        label: `${label}, p95`,
        value: percentile(times, 95),
        unit: 'ms',
        max,
        note: `p50 ${percentile(times, 50).toFixed(1)}; at 10k p50 ${percentile(atSmall, 50).toFixed(1)}, p95 ${percentile(atSmall, 95).toFixed(1)}`,
      },
      { label: `${label}, growth of the median`, value: computeGrowth(atSmall, times), unit: '×', max: 2 },
    ]
  })
  const sends = (
    [
      ['a chat of 10', after.short],
      ['a chat of 2,000', after.long],
    ] as const
  ).map(
    ([label, times]): Figure => ({
      label: `send to ${label}, overhead, p95`,
      value: percentile(times, 95) - percentile(after.model, 95),
      unit: 'ms',
      max: 20,
      note: `p50 ${(percentile(times, 50) - percentile(after.model, 50)).toFixed(1)}`,
    }),
  )
  return [
    ...reads,
    ...sends,
    { label: '/healthz, p50', value: floor, unit: 'ms', note: 'the minimum for every call' },
  ]
}

export const lists: Measure = {
  name: 'lists',
  title: `Calls at 1M messages, 100k chats, 2,000 users, 200 channels, 20k documents, and their growth from 10k messages`,
  run: async (logStep, { onPostgres }) =>
    toFigures(...(await measureBothSizes({ onPostgres, logStep }, measureCalls))),
}
