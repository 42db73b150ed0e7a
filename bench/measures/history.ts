import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import type { Deps } from '../../server/src/deps.ts'
import { createAdmin } from '../../server/src/testing/factories.ts'
import { buildPath } from '../../server/src/testing/test-app.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import {
  channelId,
  commonWord,
  copyWithRecords,
  large,
  rareWord,
  type Size,
  small,
  userId,
} from '../large-records.ts'
import { makeReader } from '../reader.ts'
import { withDeps } from '../records.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'

const timesEach = 100
const warmUp = 10
const page = 20

interface Call {
  what: string
  path: string
  token: string
  bar: number
}

const permissions = { canViewChatHistory: true, canSearchChatHistory: true, canExportChatHistory: true }

async function makeReviewer(deps: Deps) {
  const { token: own } = await makeReader(deps)
  const { token } = await createAdmin(deps, { permissions })
  await deps.messageSearch.waitUntilIndexed()
  return { own, token }
}

function callsOf({ own, token }: { own: string; token: string }, { chats }: Size): Call[] {
  function call(
    what: string,
    bar: number,
    endpoint: EndpointShape,
    query: Record<string, unknown>,
    params: Record<string, string> = {},
  ): Call {
    return { what, bar, token, path: buildPath(endpoint, params, query) }
  }
  const { list, search, listForUser, listForChannel, userSummaries, channelSummaries } = chatHistoryApi
  const first = { limit: page }
  const early = { endDate: new Date(1_790_000_000_000 - chats * 90).toISOString() }
  const someone = { id: userId(7) }
  const somewhere = { id: channelId(7) }
  return [
    call('list, first page', 50, list, first),
    call('list, by size', 50, list, { ...first, sortBy: 'messageCount' }),
    call('list of a time, by update', 50, list, { ...first, ...early, sortBy: 'updatedAt' }),
    call('list, page 500', 150, list, { ...first, skip: Math.min(chats / 2, 499 * page) }),
    call('list of a user', 50, listForUser, first, someone),
    call('list of a channel', 50, listForChannel, first, somewhere),
    call('summaries of users', 50, userSummaries, first),
    call('summaries of channels', 50, channelSummaries, first),
    call('search, a rare word', 150, search, { ...first, search: rareWord }),
    call('search, a common word', 150, search, { ...first, search: commonWord }),
    call('search, two letters', 150, search, { ...first, search: 'fo' }),
    call('search, a part of words', 150, search, { ...first, search: 'clagra' }),
    call('search, common, in a channel', 150, search, {
      ...first,
      search: commonWord,
      channelId: somewhere.id,
    }),
    call('search, common, long ago', 150, search, { ...first, search: commonWord, ...early }),
    call('search, an address', 150, search, { ...first, search: 'user7@' }),
    { ...call('own search, rare', 150, chatsApi.search, { q: 'Message 1999' }), token: own },
    { ...call('own search, common', 150, chatsApi.search, { q: 'matter' }), token: own },
  ]
}

function asked(server: Process, { path, token }: Pick<Call, 'path' | 'token'>): Promise<Response> {
  return fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
}

async function timesOf(server: Process, call: Call): Promise<number[]> {
  const times: number[] = []
  for (let at = -warmUp; at < timesEach; at += 1) {
    const begun = performance.now()
    const response = await asked(server, call)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${call.path} answered ${response.status}`)
    if (at >= 0) times.push(performance.now() - begun)
  }
  return times
}

interface Export {
  firstByte: number
  seconds: number
  messages: number
  growth: number
  /** Times of a route that does nothing, called at the same time. */
  others: number[]
}

async function exportFrom(server: Process, token: string): Promise<Export> {
  const before = server.memory()
  let highest = before
  const begun = performance.now()
  const response = await asked(server, { path: buildPath(chatHistoryApi.export), token })
  const reader = response.body?.getReader()
  await reader?.read()
  const firstByte = performance.now() - begun
  const others: number[] = []
  let isDone = false
  const beside = (async () => {
    while (!isDone) {
      const from = performance.now()
      await (await fetch(`${server.url}/healthz`)).arrayBuffer()
      others.push(performance.now() - from)
      highest = Math.max(highest, server.memory())
    }
  })()
  while (!(await reader?.read())?.done);
  isDone = true
  const seconds = (performance.now() - begun) / 1000
  await beside
  const messages = Number(response.headers.get('x-total-messages'))
  return { firstByte, seconds, messages, growth: highest - before, others }
}

interface Times {
  calls: { call: Call; times: number[] }[]
  exported: Export
  indexBytes: number
  indexSeconds: number
}

async function timesAt(size: Size, folder: string, say: (step: string) => void): Promise<Times> {
  await copyWithRecords(folder, size, say)
  const people = await withDeps(folder, makeReviewer)
  const server = await startServerOn(folder)
  try {
    say(`calling at ${size.name} messages`)
    const calls: Times['calls'] = []
    for (const call of callsOf(people, size)) calls.push({ call, times: await timesOf(server, call) })
    return {
      calls,
      exported: await exportFrom(server, people.token),
      indexBytes: statSync(join(folder, 'message-search.db')).size,
      indexSeconds: Number(readFileSync(join(folder, 'search-seconds'), 'utf8')),
    }
  } finally {
    await server.stop()
  }
}

function median(times: readonly number[]): number {
  return percentile(times, 50)
}

function figuresOf(before: Times, after: Times): Figure[] {
  return [
    ...after.calls.flatMap(({ call: { what, bar }, times }, at): Figure[] => {
      const atSmall = before.calls[at]?.times ?? []
      return [
        {
          what: `${what}, p95`,
          value: percentile(times, 95),
          unit: 'ms',
          bar,
          note: `p50 ${median(times).toFixed(1)}; at 10k p50 ${median(atSmall).toFixed(1)}, p95 ${percentile(atSmall, 95).toFixed(1)}`,
        },
        // A search with more results has more to do; the target applies to the lists.
        {
          what: `${what}, growth of the median`,
          value: median(times) / median(atSmall),
          unit: '×',
          ...(what.includes('search') ? {} : { bar: 2 }),
        },
      ]
    }),
    { what: 'export, first byte', value: after.exported.firstByte, unit: 'ms', bar: 1000 },
    {
      what: `export of ${after.exported.messages} messages`,
      value: after.exported.seconds,
      unit: 's',
      note: `at 10k ${before.exported.messages} messages in ${before.exported.seconds.toFixed(1)} s`,
    },
    { what: 'memory the export took', value: after.exported.growth, unit: 'MB', bar: 50 },
    {
      what: 'a route that does nothing beside the export, p95',
      value: percentile(after.exported.others, 95),
      unit: 'ms',
      note: `highest ${Math.max(...after.exported.others).toFixed(0)}`,
    },
    {
      what: 'index of messages on disk',
      value: after.indexBytes / 2 ** 20,
      unit: 'MB',
      note: `built in ${after.indexSeconds} s, beside whatever the machine did when it was prepared`,
    },
  ]
}

export const history: Measure = {
  name: 'history',
  title: 'All users’ chats and search at 1M messages, 100k chats, 2,000 users, 200 channels',
  run: (say) =>
    withFolder(async (folder) =>
      figuresOf(
        await timesAt(small, join(folder, small.name), say),
        await timesAt(large, join(folder, large.name), say),
      ),
    ),
}
