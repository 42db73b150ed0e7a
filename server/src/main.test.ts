import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'lyceum-start-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** A start that does not come about: its code, and what stands on the error stream. */
async function start(settings: Record<string, string>) {
  const env = {
    PATH: '/usr/bin:/bin',
    DATA_DIR: join(place, 'data'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, said }
}

describe('a start that the system refuses', () => {
  it('says in a sentence that the data folder cannot be one', async () => {
    const DATA_DIR = join(place, 'a-file')
    writeFileSync(DATA_DIR, '')
    const { code, said } = await start({ DATA_DIR })
    expect(said).toMatch(/^The data folder .*a-file cannot be used: .*\.\n$/)
    expect(code).toBe(9)
  }, 60_000)

  it('says in a sentence that the database cannot be reached', async () => {
    const { code, said } = await start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(said).toMatch(/^The database cannot be reached: .*\.\n$/)
    expect(code).toBe(1)
  }, 60_000)

  it('says in a sentence that it cannot listen there', async () => {
    // An address for documentation, which no machine has.
    const { code, said } = await start({ HOST: '192.0.2.1' })
    expect(said).toMatch(/^The server cannot listen there: .* Look at HOST and PORT\.\n$/)
    expect(code).toBe(6)
  }, 60_000)
})
