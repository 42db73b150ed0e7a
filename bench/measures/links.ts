import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterLinks, openClusterLinks } from '../../server/src/cluster/links.ts'
import { type Db, openDatabase } from '../../server/src/db/client.ts'
import { lockDatabase } from '../../server/src/db/database-lock.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { createLog } from '../../server/src/log.ts'
import * as redisSuite from '../../tools/suites/redis.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { withPostgres } from '../postgres.ts'

const replies = 500
const batchMs = 40
/** Tokens of all replies in one batch, at 20 tokens a second. */
const tokensInBatch = (replies * 20 * batchMs) / 1000
const batches = 150
const warmUpBatches = 25
const rounds = 3

interface Sample {
  /** Milliseconds until a batch is stored, after which the readers on the same server see it. */
  pushes: number[]
  /** Milliseconds until a reader on another server has it. */
  arrivals: number[]
  /** CPU time of the writing and the reading server, in milliseconds. */
  cpu: number
}

type RedisPlace = { url: string; prefix: string } | null

function join(samples: readonly Sample[]): Sample {
  return {
    pushes: samples.flatMap(({ pushes }) => pushes),
    arrivals: samples.flatMap(({ arrivals }) => arrivals),
    cpu: samples.reduce((sum, { cpu }) => sum + cpu, 0),
  }
}

/** Writes as a server does, and follows all replies as another one does. */
async function measure(writer: ClusterLinks, reader: ClusterLinks, count: number): Promise<Sample> {
  const sample: Sample = { pushes: [], arrivals: [], cpu: 0 }
  let arrived = 0
  const stops = Array.from({ length: replies }, (_, at) =>
    reader.eventLog.follow('writer', `reply-${at}`, (contents) => {
      const now = performance.now()
      for (const content of contents) {
        sample.arrivals.push(now - (JSON.parse(content) as { at: number }).at)
        arrived += 1
      }
    }),
  )
  const before = process.cpuUsage()
  const begun = performance.now()
  for (let batch = 0; batch < count; batch += 1) {
    await sleep(Math.max(0, begun + batch * batchMs - performance.now()))
    const at = performance.now()
    await writer.eventLog.push(
      Array.from({ length: tokensInBatch }, (_, token) => {
        const messageId = `reply-${(batch * tokensInBatch + token) % replies}`
        const entry = { id: messageId, text: ' vacation', from: batch, citations: [], last_event: batch, at }
        return { messageId, content: JSON.stringify(entry) }
      }),
    )
    sample.pushes.push(performance.now() - at)
  }
  while (arrived < count * tokensInBatch) await sleep(batchMs)
  const { user, system } = process.cpuUsage(before)
  sample.cpu = (user + system) / 1000
  for (const stop of stops) stop()
  return sample
}

async function measureCarrier(db: Db, url: string, redis: RedisPlace): Promise<Sample> {
  const options = { db, url, redis, now: Date.now, log: createLog('silent') }
  const writer = await openClusterLinks({ ...options, node: 'writer' })
  const reader = await openClusterLinks({ ...options, node: 'reader' })
  const lock = await lockDatabase(url, { isShared: true })
  lock.onNotification({ notified: reader.receive, missed: reader.missed })
  try {
    while (
      !(await writer.check().then(
        () => true,
        () => false,
      ))
    )
      await sleep(batchMs)
    await measure(writer, reader, warmUpBatches)
    await reader.eventLog.forget('writer')
    return await measure(writer, reader, batches)
  } finally {
    await reader.eventLog.forget('writer')
    await writer.close()
    await reader.close()
    await lock.release()
  }
}

function toFigures(name: string, { pushes, arrivals, cpu }: Sample): Figure[] {
  return [
    ...[50, 95].map((percent) => ({
      label: `${name}: a batch is stored, p${percent}`,
      value: percentile(pushes, percent),
      unit: 'ms',
    })),
    ...[50, 95].map((percent) => ({
      label: `${name}: text arrives on another server, p${percent}`,
      value: percentile(arrivals, percent),
      unit: 'ms',
    })),
    {
      label: `${name}: CPU of writer and reader for 1,000 tokens`,
      value: (cpu / (rounds * batches * tokensInBatch)) * 1000,
      unit: 'ms',
    },
  ]
}

function compare(postgres: Sample, redis: Sample): Figure[] {
  const ratios: [string, number][] = [
    ['a batch is stored, p95', percentile(redis.pushes, 95) / percentile(postgres.pushes, 95)],
    ['text arrives, p50', percentile(redis.arrivals, 50) / percentile(postgres.arrivals, 50)],
    ['text arrives, p95', percentile(redis.arrivals, 95) / percentile(postgres.arrivals, 95)],
    ['CPU of writer and reader', redis.cpu / postgres.cpu],
  ]
  return ratios.map(([label, value]) => ({ label: `${label}, Redis ÷ PostgreSQL`, value, unit: '×' }))
}

export const links: Measure = {
  name: 'links',
  title: `The shared event log of ${replies} replies, 20 tokens/s each, on PostgreSQL and on Redis`,
  run: (logStep) =>
    withPostgres(async (createDatabase) => {
      redisSuite.setup()
      const { startTestRedis } = await import('../../server/src/testing/test-redis.ts')
      const redis = await startTestRedis()
      const url = await createDatabase()
      const db = openDatabase({ postgres: url, poolSize: 10 })
      try {
        await migrate(db)
        const samples: { ofPostgres: Sample[]; ofRedis: Sample[] } = { ofPostgres: [], ofRedis: [] }
        for (let round = 1; round <= rounds; round += 1) {
          logStep(`round ${round} of ${rounds}`)
          samples.ofPostgres.push(await measureCarrier(db, url, null))
          samples.ofRedis.push(await measureCarrier(db, url, { url: redis.url, prefix: 'bench' }))
        }
        const [ofPostgres, ofRedis] = [join(samples.ofPostgres), join(samples.ofRedis)]
        return [
          ...toFigures('PostgreSQL', ofPostgres),
          ...toFigures('Redis', ofRedis),
          ...compare(ofPostgres, ofRedis),
        ]
      } finally {
        await db.destroy()
        await redis.close()
      }
    }),
}
