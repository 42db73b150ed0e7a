import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addDays, analyticsApi, formatDay } from '@lyceum/contract/analytics'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { buildPath } from '../../server/src/testing/build-path.ts'
import { createBenchUsers } from '../bench-users.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { createChannelId, large } from '../large-records.ts'
import { withRecords } from '../records.ts'
import { startServerOn, withFolder } from '../server-process.ts'
import { withDeps } from '../with-deps.ts'

const runsPerCall = 100
const warmUp = 10
const maxMs = 150
const days = 365

/** Inserts the figures of a year with half a million questions, spread evenly, which is the worst case. */
function insertYear(path: string): void {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const last = formatDay(Date.now())
  const waits = Array.from({ length: 12 }, (_, at) => `wait_${at}`)
  const counts = ['people', 'messages', 'asked', 'replies', 'refusals', 'failures', 'quoted', 'good', 'bad']
  const columns = [...counts, ...waits, 'input_tokens', 'output_tokens']
  const addDay = db.prepare(
    `INSERT INTO usage_days (channel_id, day, model, ${columns.join(', ')}) VALUES (?, ?, ?, ${columns.map(() => '?').join(', ')})`,
  )
  const addUserDay = db.prepare('INSERT OR IGNORE INTO usage_people VALUES (?, ?, ?, 2, 900)')
  const addCited = db.prepare(
    'INSERT OR IGNORE INTO citation_days (channel_id, document_id, day, citations) VALUES (?, ?, ?, 1)',
  )
  const channels = Array.from({ length: large.channels }, (_, at) => createChannelId(at))
  const users = db.prepare('SELECT id FROM users ORDER BY id').all() as { id: string }[]
  const documents = db.prepare('SELECT id, channel_id FROM documents ORDER BY id').all() as {
    id: string
    channel_id: string
  }[]
  db.exec('PRAGMA synchronous = OFF; BEGIN')
  for (let daysAgo = 0; daysAgo < days; daysAgo += 1) {
    const day = addDays(last, -daysAgo)
    for (const [at, id] of ['', ...channels].entries())
      for (const model of ['', 'gpt-4o'])
        addDay.run(id, day, model, ...columns.map((_, n) => (daysAgo + at + n) % 13))
    for (let n = 0; n < 1000; n += 1) {
      const user = users[(n * 2 + daysAgo) % users.length]?.id ?? ''
      addUserDay.run('', user, day)
      addUserDay.run(channels[(n * 7 + daysAgo) % channels.length] ?? '', user, day)
    }
    for (let cited = 0; cited < 1600; cited += 1) {
      const document = documents[(cited * 37 + daysAgo * 1601) % documents.length]
      if (document) addCited.run(document.channel_id, document.id, day)
    }
  }
  db.exec(`INSERT INTO unanswered_questions (message_id, channel_id, asked_at, reason)
    SELECT messages.id, chats.channel_id, ${Date.now()} - (messages.seq % ${days}) * 86400000, 'nothing-found'
    FROM messages JOIN chats ON chats.id = messages.chat_id WHERE messages.seq % 20 = 1`)
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

function listCalls(): [string, string][] {
  const to = formatDay(Date.now())
  const year = { from: addDays(to, 1 - days), to }
  function call(endpoint: EndpointShape, query: object): string {
    return buildPath(endpoint, {}, query as Record<string, unknown>)
  }
  return [
    ['figures of 30 days', call(analyticsApi.get, {})],
    ['figures of a year', call(analyticsApi.get, year)],
    ['figures of a year, one channel', call(analyticsApi.get, { ...year, channelId: createChannelId(7) })],
    ['channels of 30 days', call(analyticsApi.channels, {})],
    ['channels of a year', call(analyticsApi.channels, year)],
    ['documents of 30 days', call(analyticsApi.documents, {})],
    ['documents of a year', call(analyticsApi.documents, year)],
    ['questions of a year', call(analyticsApi.questions, year)],
    ['questions of a year, page 1,000', call(analyticsApi.questions, { ...year, skip: 9990 })],
  ]
}

async function timeRequest(url: string, token: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return performance.now() - begun
}

async function measureCalls(
  folder: string,
  env: Record<string, string>,
  logStep: (step: string) => void,
): Promise<Figure[]> {
  const { adminToken } = await withDeps(folder, createBenchUsers, env)
  const server = await startServerOn(folder, env)
  try {
    const figures: Figure[] = []
    for (const [label, path] of listCalls()) {
      logStep(label)
      const times: number[] = []
      for (let at = -warmUp; at < runsPerCall; at += 1) {
        const time = await timeRequest(server.url + path, adminToken)
        if (at >= 0) times.push(time)
      }
      const note = `p50 ${percentile(times, 50).toFixed(1)}`
      figures.push({ label: `${label}, p95`, value: percentile(times, 95), unit: 'ms', max: maxMs, note })
    }
    return figures
  } finally {
    await server.stop()
  }
}

export const analytics: Measure = {
  name: 'analytics',
  title: 'Analytics of a year: 1M messages, 2,000 users, 200 channels, 20k documents',
  run: (logStep, { onPostgres }) =>
    withFolder((parent) => {
      const folder = join(parent, 'data')
      function extend(): void {
        logStep('inserting the figures of a year')
        insertYear(join(folder, 'lyceum.db'))
      }
      return withRecords({ folder, size: large, onPostgres, logStep, extend }, (env) =>
        measureCalls(folder, env, logStep),
      )
    }),
}
