import { defineConfig } from 'vitest/config'

// The test processes read it when they start: numbers and dates are written as in English, whoever's machine it is.
process.env['LC_ALL'] = 'C.UTF-8'

const node = {
  environment: 'node' as const,
  setupFiles: ['./tools/suites/patience.ts', './tools/suites/no-stray-console.ts'],
  // Limits for what hangs, not for what is slow: the machine may be busy with something else.
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
