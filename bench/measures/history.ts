import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import type { Deps } from '../../server/src/deps.ts'
import { buildPath } from '../../server/src/testing/build-path.ts'
import { createAdmin } from '../../server/src/testing/factories.ts'
import { createBenchUsers } from '../bench-users.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { commonWord, createChannelId, createUserId, rareWord, type Size } from '../large-records.ts'
import { measureBothSizes, type Records } from '../records.ts'
import { type Process, startServerOn } from '../server-process.ts'
import { withDeps } from '../with-deps.ts'

const runsPerCall = 100
const warmUp = 10
const pageSize = 20

interface Call {
  label: string
  path: string
  token: string
  max: number
}

const permissions = { canViewChatHistory: true, canSearchChatHistory: true, canExportChatHistory: true }

/** Creates a reviewer, and a user who has chats of their own. Returns the token of each. */
async function createReviewer(deps: Deps) {
  const { token: userToken } = await createBenchUsers(deps)
  const { token } = await createAdmin(deps, { permissions })
  await deps.messageSearch.waitUntilIndexed()
  return { userToken, token }
}

function listCalls({ userToken, token }: { userToken: string; token: string }, { chats }: Size): Call[] {
  function call(
    label: string,
    max: number,
    endpoint: EndpointShape,
    query: Record<string, unknown>,
    params: Record<string, string> = {},
  ): Call {
    return { label, max, token, path: buildPath(endpoint, params, query) }
  }
  const { list, search, listForUser, listForChannel, userSummaries, channelSummaries } = chatHistoryApi
  const first = { limit: pageSize }
  const longAgo = { endDate: new Date(1_790_000_000_000 - chats * 90).toISOString() }
  const user = { id: createUserId(7) }
  const channel = { id: createChannelId(7) }
  return [
    call('list, first page', 50, list, first),
    call('list, by size', 50, list, { ...first, sortBy: 'messageCount' }),
    call('list in a date range, by update', 50, list, { ...first, ...longAgo, sortBy: 'updatedAt' }),
    call('list, page 500', 150, list, { ...first, skip: Math.min(chats / 2, 499 * pageSize) }),
    call('list of a user', 50, listForUser, first, user),
    call('list of a channel', 50, listForChannel, first, channel),
    call('summaries of users', 50, userSummaries, first),
    call('summaries of channels', 50, channelSummaries, first),
    call('search, a rare word', 150, search, { ...first, search: rareWord }),
    call('search, a common word', 150, search, { ...first, search: commonWord }),
    call('search, two letters', 150, search, { ...first, search: 'fo' }),
    call('search, part of a word', 150, search, { ...first, search: 'clagra' }),
    call('search, common, in a channel', 150, search, {
      ...first,
      search: commonWord,
      channelId: channel.id,
    }),
    call('search, common, long ago', 150, search, { ...first, search: commonWord, ...longAgo }),
    call('search, an address', 150, search, { ...first, search: 'user7@' }),
    { ...call('own search, rare', 150, chatsApi.search, { q: 'Message 1999' }), token: userToken },
    { ...call('own search, common', 150, chatsApi.search, { q: 'matter' }), token: userToken },
  ]
}

function request(server: Process, { path, token }: Pick<Call, 'path' | 'token'>): Promise<Response> {
  return fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
}

async function timeCalls(server: Process, call: Call): Promise<number[]> {
  const times: number[] = []
  for (let at = -warmUp; at < runsPerCall; at += 1) {
    const begun = performance.now()
    const response = await request(server, call)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${call.path} returned ${response.status}`)
    if (at >= 0) times.push(performance.now() - begun)
  }
  return times
}

interface Export {
  firstByte: number
  seconds: number
  messages: number
  growth: number
  /** Times of /healthz, called during the export. */
  others: number[]
}

async function timeExport(server: Process, token: string): Promise<Export> {
  const before = server.memory()
  let highest = before
  const begun = performance.now()
  const response = await request(server, { path: buildPath(chatHistoryApi.export), token })
  const reader = response.body?.getReader()
  await reader?.read()
  const firstByte = performance.now() - begun
  const others: number[] = []
  let isDone = false
  const polling = (async () => {
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
  await polling
  const messages = Number(response.headers.get('x-total-messages'))
  return { firstByte, seconds, messages, growth: highest - before, others }
}

interface Times {
  calls: { call: Call; times: number[] }[]
  exported: Export
  indexBytes: number
  indexSeconds: number
}

async function measureCalls({ folder, size, logStep }: Records, env: Record<string, string>): Promise<Times> {
  const users = await withDeps(folder, createReviewer, env)
  const server = await startServerOn(folder, env)
  try {
    logStep(`calling at ${size.name} messages`)
    const calls: Times['calls'] = []
    for (const call of listCalls(users, size)) calls.push({ call, times: await timeCalls(server, call) })
    return {
      calls,
      exported: await timeExport(server, users.token),
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

function toFigures(before: Times, after: Times): Figure[] {
  return [
    ...after.calls.flatMap(({ call: { label, max }, times }, at): Figure[] => {
      const atSmall = before.calls[at]?.times ?? []
      return [
        {
          label: `${label}, p95`,
          value: percentile(times, 95),
          unit: 'ms',
          max,
          note: `p50 ${median(times).toFixed(1)}; at 10k p50 ${median(atSmall).toFixed(1)}, p95 ${percentile(atSmall, 95).toFixed(1)}`,
        },
        // A search with more results has more to do; the target applies to the lists.
        {
          label: `${label}, growth of the median`,
          value: median(times) / median(atSmall),
          unit: '×',
          ...(label.includes('search') ? {} : { max: 2 }),
        },
      ]
    }),
    { label: 'export, first byte', value: after.exported.firstByte, unit: 'ms', max: 1000 },
    {
      label: `export of ${after.exported.messages} messages`,
      value: after.exported.seconds,
      unit: 's',
      note: `at 10k ${before.exported.messages} messages in ${before.exported.seconds.toFixed(1)} s`,
    },
    { label: 'memory growth during the export', value: after.exported.growth, unit: 'MB', max: 50 },
    {
      label: '/healthz during the export, p95',
      value: percentile(after.exported.others, 95),
      unit: 'ms',
      note: `highest ${Math.max(...after.exported.others).toFixed(0)}`,
    },
    {
      label: 'message index on disk',
      value: after.indexBytes / 2 ** 20,
      unit: 'MB',
      note: `built in ${after.indexSeconds} s, while other work may have slowed the machine`,
    },
  ]
}

export const history: Measure = {
  name: 'history',
  title: 'All users’ chats and search at 1M messages, 100k chats, 2,000 users, 200 channels',
  run: async (logStep, { onPostgres }) =>
    toFigures(...(await measureBothSizes({ onPostgres, logStep }, measureCalls))),
}
