import { defineConfig } from 'vitest/config'

// The test processes inherit it, so that numbers and dates are formatted as in English on every machine.
process.env['LC_ALL'] = 'C.UTF-8'

const node = {
  environment: 'node' as const,
  setupFiles: ['./tools/suites/patience.ts', './tools/suites/no-stray-console.ts'],
  // Limits for tests that hang, not for slow ones: the machine may be busy.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
}
const server = { ...node, include: ['server/src/**/*.test.ts'] }

export default defineConfig({
  test: {
    // Two processes: the suite must not need a bigger machine than the smallest it is run on.
    pool: 'forks',
    maxWorkers: 2,
    allowOnly: false,
    projects: [
      { test: { ...node, name: 'tools', include: ['tools/**/*.test.ts'] } },
      { test: { ...node, name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      // The whole server suite runs on each database; server/src/testing reads which one from here.
      {
        test: {
          ...server,
          name: 'server-sqlite',
          env: { TEST_DATABASE: 'sqlite' },
          globalSetup: ['./tools/suites/sqlite.ts'],
        },
      },
      {
        test: {
          ...server,
          name: 'server-postgres',
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: ['./tools/suites/postgres.ts'],
        },
      },
      './web/vitest.config.ts',
    ],
  },
})
