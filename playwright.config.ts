import { defineConfig } from '@playwright/test'
import { findBrowser } from './tools/suites/browser.ts'

const executablePath = findBrowser()

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results/journeys',
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  workers: 2,
  // What passes only at the second try passes, and is named in the end: tools/suites/journeys.ts.
  retries: 1,
  // Limits for what hangs, not for what is slow: the machine may be busy with something else.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  globalTimeout: 35 * 60_000,
  use: {
    headless: true,
    launchOptions: {
      ...(executablePath && { executablePath }),
      // The browser may run as root and is to speak to nobody but the server under test.
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
    trace: 'retain-on-failure',
    video: 'off',
  },
})
