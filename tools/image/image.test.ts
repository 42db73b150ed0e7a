import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('builds a small image whose server becomes healthy and stops on SIGTERM', () => {
  const output = execFileSync(process.execPath, ['tools/image/check-image.ts'], {
    encoding: 'utf8',
    timeout: 900_000,
  })
  expect(output).toContain('Healthy, and stopped on SIGTERM.')
}, 920_000)
