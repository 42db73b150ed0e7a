import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('the steps of the Dockerfile end in a server that is healthy, ends when told to and is small enough', () => {
  const said = execFileSync(process.execPath, ['tools/image/prove.ts'], {
    encoding: 'utf8',
    timeout: 900_000,
  })
  expect(said).toContain('Healthy, and ended when told to.')
}, 920_000)
