import { defineConfig } from '@playwright/test'
import { findBrowser } from './tools/suites/browser.ts'
import { getWorkerCount } from './tools/workers.ts'

const executablePath = findBrowser()

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results/journeys',
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  // Each worker runs its own browser and server, which take up to 1 GB.
  workers: getWorkerCount(4),
  // A journey that passes only on the second attempt passes, but tools/suites/journeys.ts reports it.
  retries: 1,
  // Limits for tests that hang, not for slow ones: the machine may be busy.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  globalTimeout: 35 * 60_000,
  use: {
    headless: true,
    launchOptions: {
      ...(executablePath && { executablePath }),
      // The browser may run as root, and must connect only to the server under test.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
    screenshot: 'only-on-failure',
    // Recording a trace slows a journey down, so only the second attempt has one.
    trace: 'on-first-retry',
    video: 'off',
  },
})
