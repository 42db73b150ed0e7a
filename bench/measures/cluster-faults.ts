import { join } from 'node:path'
import { startOpenSearchProxy } from '../../server/src/testing/opensearch-proxy.ts'
import { startS3Proxy } from '../../server/src/testing/s3-proxy.ts'
import { startTcpProxy } from '../../server/src/testing/tcp-proxy.ts'
import { startOpenSearch } from '../../tools/peers/opensearch.ts'
import * as redis from '../../tools/suites/redis.ts'
import * as s3 from '../../tools/suites/s3.ts'
import { runClusterFaults } from '../faults/cluster.ts'
import type { Measure } from '../figures.ts'
import { withPostgres } from '../postgres.ts'
import { createRandom } from '../random-text.ts'
import { withFolder } from '../server-process.ts'
import { startModel } from '../streams/processes.ts'

export const clusterFaults: Measure = {
  name: 'cluster-faults',
  title: 'What survives kills of servers of a cluster, and faults of PostgreSQL, Redis, S3 and OpenSearch',
  isLong: true,
  run: (logStep, { seed, rounds }) =>
    withPostgres(
      (createDatabase) =>
        withFolder(async (folder) => {
          logStep(`seed ${seed}: repeat this run with --seed ${seed}`)
          const closers: (() => Promise<void>)[] = [s3.teardown]
          function closing<S>(service: S, close: (service: S) => Promise<void>): S {
            closers.push(() => close(service))
            return service
          }
          try {
            await s3.setup()
            redis.setup()
            const { createTestBucket, requireS3 } = await import('../../server/src/testing/test-bucket.ts')
            const { startTestRedis } = await import('../../server/src/testing/test-redis.ts')
            const model = closing(await startModel({ tokens: 40, delayMs: 25 }), ({ stop }) => stop())
            const search = closing(await startOpenSearch(), ({ stop }) => stop())
            const openSearch = closing(await startOpenSearchProxy(search.url), ({ close }) => close())
            const s3Proxy = closing(await startS3Proxy(requireS3()), ({ close }) => close())
            const broker = closing(await startTestRedis(), ({ close }) => close())
            const databaseUrl = await createDatabase()
            const database = closing(await startTcpProxy(databaseUrl), ({ close }) => close())
            const settings = {
              CLUSTER: 'true',
              DATABASE_URL: database.throughProxy(databaseUrl),
              SECRETS_FILE: join(folder, 'secrets.json'),
              SMTP_URL: 'smtp://127.0.0.1:1',
              OPENAI_BASE_URL: `${model.url}/v1`,
              EMBEDDING_MODEL: 'none',
              OPENSEARCH_URL: openSearch.url,
              REDIS_URL: broker.url,
              RATE_LIMIT_SCALE: '100000',
              DRAIN_SECONDS: '0',
              ...(await createTestBucket(s3Proxy.url)).env,
            }
            const services = { databaseUrl, database, redis: broker, s3: s3Proxy, openSearch, settings }
            return await runClusterFaults(folder, services, rounds, createRandom(seed), logStep)
          } finally {
            for (const close of closers.toReversed()) await close()
          }
        }),
      { isDurable: true },
    ),
}
