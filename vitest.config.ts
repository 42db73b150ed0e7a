import { fileURLToPath } from 'node:url'
import { defaultExclude, defineConfig } from 'vitest/config'
import { splitServerTests } from './tools/suites/server-tests.ts'
import { chooseForTwoServers } from './tools/suites/two-servers.ts'
import { getWorkerCount } from './tools/workers.ts'

// The test processes inherit this locale, so that numbers and dates have the same, English format on every machine.
process.env['LC_ALL'] = 'C.UTF-8'

const node = {
  environment: 'node' as const,
  setupFiles: ['./tools/suites/wait-timeouts.ts', './tools/suites/no-stray-console.ts'],
  // Limits for tests that hang, not for slow ones: the machine may be busy.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
}
/**
 * The modules of the server are loaded once for all files that a process runs, which saves a quarter of their time. What a
 * file changes for all, such as an environment variable, it has to undo.
 */
const sharedModules = { isolate: false }
const serverTests = splitServerTests(fileURLToPath(new URL('.', import.meta.url)))
const server = { ...node, include: serverTests.withDatabase }
const postgres = ['./tools/suites/postgres.ts', './tools/suites/postgres-template.ts']
/** Tests of several servers behind other programs. */
const clusterTests = 'tools/**/*.cluster.test.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    // A process takes up to 500 MB.
    maxWorkers: getWorkerCount(8),
    allowOnly: false,
    projects: [
      {
        test: {
          ...node,
          name: 'tools',
          include: ['{tools,bench}/**/*.test.ts'],
          exclude: [...defaultExclude, clusterTests],
        },
      },
      { test: { ...node, name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      { test: { ...node, name: 'server-pure', include: serverTests.pure } },
      // Tests that use a database run on both; TEST_DATABASE tells server/src/testing which one to use.
      {
        test: {
          ...server,
          ...sharedModules,
          name: 'server-sqlite',
          // What only PostgreSQL does, such as losing connections.
          exclude: [...defaultExclude, '**/*.postgres.test.ts'],
          env: { TEST_DATABASE: 'sqlite' },
          globalSetup: ['./tools/suites/sqlite.ts'],
        },
      },
      {
        test: {
          ...server,
          ...sharedModules,
          name: 'server-postgres',
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: postgres,
        },
      },
      {
        test: {
          ...server,
          name: 'server-s3',
          include: serverTests.withBucket,
          exclude: [...defaultExclude, '**/*.postgres.test.ts'],
          env: { TEST_DATABASE: 'sqlite' },
          globalSetup: ['./tools/suites/s3.ts', './tools/suites/sqlite.ts'],
        },
      },
      // Several servers need both.
      {
        test: {
          ...server,
          name: 'server-cluster',
          include: [
            ...serverTests.withBucket.filter((file) => file.endsWith('.postgres.test.ts')),
            clusterTests,
          ],
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: ['./tools/suites/s3.ts', './tools/suites/redis.ts', ...postgres],
        },
      },
      {
        test: {
          ...server,
          name: 'server-redis',
          include: serverTests.withRedis,
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: ['./tools/suites/redis.ts', ...postgres],
        },
      },
      {
        test: {
          ...server,
          name: 'server-opensearch',
          include: serverTests.withOpenSearch,
          env: { TEST_DATABASE: 'sqlite' },
          globalSetup: ['./tools/suites/opensearch.ts', './tools/suites/sqlite.ts'],
        },
      },
      // The complete server as two web servers and a worker that share all services.
      {
        test: {
          ...server,
          ...sharedModules,
          name: 'server-two-nodes',
          include: chooseForTwoServers(serverTests.withApp),
          env: { TEST_DATABASE: 'postgres', TEST_NODES: 'two' },
          globalSetup: [
            ...['s3', 'redis', 'opensearch'].map((name) => `./tools/suites/${name}.ts`),
            ...postgres,
            './tools/suites/two-nodes.ts',
          ],
        },
      },
      './web/vitest.config.ts',
    ],
  },
})
