import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    name: 'web',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['../tools/suites/wait-timeouts.ts', 'src/testing/setup.ts'],
    // Limits for tests that hang, not for slow ones: the machine may be busy.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    unstubGlobals: true,
    restoreMocks: true,
  },
})
