import { join } from 'node:path'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { buildPath } from '../../server/src/testing/test-app.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { copyWithRecords, large, type Size, small } from '../large-records.ts'
import { makeReader, type Reader } from '../reader.ts'
import { withDeps } from '../records.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { startModel } from '../streams/processes.ts'
import { readStream } from '../streams/read-stream.ts'

const timesEach = 300
const sendsEach = 60
const warmUp = 40
const page = 20

interface Call {
  what: string
  path: string
  token: string
  bar: number
}

function callsOf({ token, adminToken, channelId, longChatId, shortChatId }: Reader): Call[] {
  function call(
    what: string,
    as: string,
    bar: number,
    endpoint: EndpointShape,
    params: Record<string, string>,
    query: Record<string, unknown>,
  ): Call {
    return { what, token: as, bar, path: buildPath(endpoint, params, query) }
  }
  return [
    call('own channels', token, 50, channelsApi.list, {}, {}),
    call('all channels, first page', adminToken, 50, channelsApi.list, {}, { limit: page }),
    call('chats of a channel', token, 50, chatsApi.list, { channelId }, { limit: page }),
    call('documents, first page', adminToken, 50, documentsApi.list, {}, { limit: page }),
    call('documents, pending', adminToken, 50, documentsApi.list, {}, { limit: page, status: 'pending' }),
    call('documents, by a word', adminToken, 50, documentsApi.list, {}, { limit: page, search: 'ment 19' }),
    call('open a chat of 10', token, 150, chatsApi.get, { channelId, chatId: shortChatId }, {}),
    call('open a chat of 2,000', token, 150, chatsApi.get, { channelId, chatId: longChatId }, {}),
  ]
}

async function timeOf(url: string, token: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - begun
}

async function repeat(count: number, work: () => Promise<number>): Promise<number[]> {
  for (let at = 0; at < Math.min(warmUp, count); at += 1) await work()
  const times: number[] = []
  for (let at = 0; at < count; at += 1) times.push(await work())
  return times
}

function timesOfSending(server: Process, { token, channelId }: Reader, chatId: string): Promise<number[]> {
  return repeat(sendsEach, async () => {
    const { whole } = await readStream({
      url: server.url + buildPath(chatsApi.send, { channelId, chatId }),
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'And what else is there to know?' }),
      firstToken: 'Alpha',
    })
    return whole
  })
}

function timesOfModel(model: Process): Promise<number[]> {
  return repeat(sendsEach, async () => {
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

function timesAt(size: Size, folder: string, say: (step: string) => void): Promise<Times> {
  return withModel(async (model) => {
    await copyWithRecords(folder, size, say)
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, EMBEDDING_MODEL: 'none' }
    const reader = await withDeps(folder, makeReader, env)
    const server = await startServerOn(folder, env)
    try {
      say(`calling at ${size.name} messages`)
      const floor = await repeat(timesEach, () => timeOf(`${server.url}/healthz`, ''))
      const calls: Times['calls'] = []
      for (const call of callsOf(reader))
        calls.push({ call, times: await repeat(timesEach, () => timeOf(server.url + call.path, call.token)) })
      return {
        calls,
        floor,
        model: await timesOfModel(model),
        short: await timesOfSending(server, reader, reader.shortChatId),
        long: await timesOfSending(server, reader, reader.longChatId),
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

function growth(before: readonly number[], after: readonly number[]): number {
  return percentile(after, 50) / percentile(before, 50)
}

function figuresOf(before: Times, after: Times): Figure[] {
  const floor = percentile(after.floor, 50)
  const reads = after.calls.flatMap(({ call: { what, bar }, times }, at): Figure[] => {
    const atSmall = before.calls[at]?.times ?? []
    return [
      {
        what: `${what}, p95`,
        value: percentile(times, 95),
        unit: 'ms',
        bar,
        note: `p50 ${percentile(times, 50).toFixed(1)}; at 10k p50 ${percentile(atSmall, 50).toFixed(1)}, p95 ${percentile(atSmall, 95).toFixed(1)}`,
      },
      { what: `${what}, growth of the median`, value: growth(atSmall, times), unit: '×', bar: 2 },
    ]
  })
  const sends = (
    [
      ['a chat of 10', after.short],
      ['a chat of 2,000', after.long],
    ] as const
  ).map(
    ([what, times]): Figure => ({
      what: `send into ${what}, overhead, p95`,
      value: percentile(times, 95) - percentile(after.model, 95),
      unit: 'ms',
      bar: 20,
      note: `p50 ${(percentile(times, 50) - percentile(after.model, 50)).toFixed(1)}`,
    }),
  )
  return [
    ...reads,
    ...sends,
    { what: 'a route that does nothing, p50', value: floor, unit: 'ms', note: 'the floor of every call' },
  ]
}

export const lists: Measure = {
  name: 'lists',
  title: `Calls at 1M messages, 100k chats, 2,000 people, 200 channels, 20k documents, and their growth from a hundredth`,
  run: (say) =>
    withFolder(async (folder) =>
      figuresOf(
        await timesAt(small, join(folder, small.name), say),
        await timesAt(large, join(folder, large.name), say),
      ),
    ),
}
