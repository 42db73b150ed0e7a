import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setUpChannel } from '#testing/acknowledged-load.ts'
import { failingMigration } from '#testing/failing-migration.ts'
import { sendSignal } from '#testing/processes.ts'
import { createSmallDisk, type SmallDisk } from '#testing/small-disk.ts'
import { type Launcher, type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { beginRequest } from '#testing/unfinished-request.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lyceum-start-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

/** Runs a start that fails, and returns its exit code and standard error. */
async function start(
  settings: Record<string, string>,
  [program, ...args]: Launcher['command'] = [process.execPath, main],
) {
  const env = {
    PATH: '/usr/bin:/bin',
    DATA_DIR: join(parent, 'data'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  }
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stderr }
}

describe('a failed start', () => {
  it('reports in one sentence that the data folder cannot be used', async () => {
    const DATA_DIR = join(parent, 'a-file')
    writeFileSync(DATA_DIR, '')
    const { code, stderr } = await start({ DATA_DIR })
    expect(stderr).toMatch(/^The data folder .*a-file cannot be used: .*\.\n$/)
    expect(code).toBe(9)
  }, 60_000)

  it('reports in one sentence that the database cannot be reached', async () => {
    const { code, stderr } = await start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(stderr).toMatch(/^The database cannot be reached: .*\.\n$/)
    expect(code).toBe(1)
  }, 60_000)

  it('reports in one sentence that the server cannot listen on its address', async () => {
    // An address reserved for documentation, which no machine has.
    const { code, stderr } = await start({ HOST: '192.0.2.1' })
    expect(stderr).toMatch(/^The server cannot listen on this address: .* Check HOST and PORT\.\n$/)
    expect(code).toBe(6)
  }, 60_000)

  it('reports in one sentence that the database is damaged', async () => {
    const DATA_DIR = join(parent, 'data')
    mkdirSync(DATA_DIR)
    writeFileSync(join(DATA_DIR, 'lyceum.db'), 'x'.repeat(5000))
    const { code, stderr } = await start({ DATA_DIR })
    expect(stderr).toBe('The database is damaged: file is not a database. Restore the newest backup.\n')
    expect(code).toBe(9)
  }, 60_000)

  it('reports in one line that an upgrade failed, and where the backup is', async () => {
    const data = join(parent, 'data')
    const server = await spawnServer({ DATA_DIR: data })
    await setUpChannel(server)
    await server.stop()
    const database = new DatabaseSync(join(data, 'lyceum.db'))
    database.exec(`delete from kysely_migration where name >= '${failingMigration}'`)
    database.close()
    const first = await start({})
    expect(first.code).toBe(11)
    expect(first.stderr).toMatch(
      /^The database was not upgraded, because migration .* failed .*\. All data is as before\..*\n$/,
    )
    const [backup = '', ...more] = readdirSync(join(data, 'backups/before-upgrade'))
    expect(more).toEqual([])
    expect(first.stderr).toContain(join(data, 'backups/before-upgrade', backup))
    expect(await start({})).toEqual(first)
    expect(readdirSync(join(data, 'backups/before-upgrade'))).toEqual([backup])
  }, 120_000)
})

describe('the systemd unit', () => {
  it('does not restart the server after an exit code that needs an administrator', () => {
    const root = new URL('../../', import.meta.url)
    const codes = readFileSync(new URL('docs/operations.md', root), 'utf8').matchAll(
      /^\| (\d+) \| (.*) \|$/gm,
    )
    const permanent = [...codes].filter(
      ([, code, meaning = '']) => Number(code) > 1 && !/later start/.test(meaning),
    )
    const [, listed] =
      /^RestartPreventExitStatus=(.*)$/m.exec(readFileSync(new URL('deploy/lyceum.service', root), 'utf8')) ??
      []
    expect(listed?.split(' ')).toEqual(permanent.map(([, code]) => code))
  })
})

it('keeps every file in the data folder private, also those of an earlier version', async () => {
  const data = join(parent, 'data')
  mkdirSync(data)
  for (const name of ['lyceum.db', 'passages.db', 'message-search.db'])
    writeFileSync(join(data, name), '', { mode: 0o644 })
  const server = await spawnServer({ DATA_DIR: data, BACKUP_EVERY: '1h' })
  try {
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(expect.arrayContaining(['lock.db', 'lyceum.db', 'lyceum.db-wal', 'node-id']))
    const shared = files.filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)
    expect(shared).toEqual([])
  } finally {
    await server.stop()
  }
})

describe('with a full disk', { timeout: 300_000 }, () => {
  let disk: SmallDisk
  let server: SpawnedServer | undefined
  beforeEach(async () => {
    disk = await createSmallDisk(parent, 64)
  })
  afterEach(async () => {
    await server?.kill()
    server = undefined
    disk.remove()
  })

  it.each([0, 8, 64, 200, 500])('fails to start with one sentence if %i kB are free', async (free) => {
    disk.fill(free * 1024)
    const launcher = disk.run(process.execPath, main)
    const DATA_DIR = join(disk.folder, 'data')
    expect(await start({ DATA_DIR }, launcher.command)).toEqual({
      stderr: 'The disk is full. Free some space, then start Lyceum again.\n',
      code: 10,
    })
    disk.free()
    server = await spawnServer({ DATA_DIR }, launcher)
    expect(await server.stop()).toBe(0)
  })

  it('goes on when its log cannot be written', async () => {
    const log = join(disk.folder, 'log')
    const launcher = disk.run('sh', '-c', 'exec "$0" "$1" 2>> "$2"', process.execPath, main, log)
    server = await spawnServer({ DATA_DIR: join(parent, 'data'), LOG_LEVEL: 'info' }, launcher)
    disk.fill()
    for (let calls = 0; calls < 200; calls += 1)
      expect((await fetch(`${server.url}/api/channels`)).status).toBe(401)
    disk.free()
    const { size } = statSync(join(disk.path, 'log'))
    await expect
      .poll(async () => {
        await fetch(`${server?.url}/api/channels`)
        return statSync(join(disk.path, 'log')).size
      })
      .toBeGreaterThan(size)
    expect(await server.stop()).toBe(0)
  })
})

describe('a stop', () => {
  it('does not wait for a client that does not send the rest of its request', async () => {
    const server = await spawnServer({ DATA_DIR: join(parent, 'data') })
    const request = await beginRequest(server.url)
    expect(await server.stop()).toBe(0)
    expect(await request.finish()).toMatch(/^(HTTP\/1\.1 408 |$)/)
    expect(server.output()).toContain('Press Ctrl+C again to exit at once.\n')
    expect(server.output()).toContain('Lyceum has stopped.\n')
  })

  it('ends at once on a Ctrl+C that comes more than two seconds after the first', async () => {
    const server = await spawnServer({ DATA_DIR: join(parent, 'data') })
    const request = await beginRequest(server.url)
    let isOver = false
    void server.whenEnded.then(() => {
      isOver = true
    })
    while (!isOver) {
      sendSignal(server.pid, 'SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await server.exitCode).toBe(1)
    expect(await request.finish()).toBe('')
    expect(server.output()).not.toContain('Lyceum has stopped.')
  })

  it('before the server is ready ends the process without an error', async () => {
    const child = spawn(process.execPath, [main], {
      env: { PATH: '/usr/bin:/bin', DATA_DIR: join(parent, 'data'), PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const errors = text(child.stderr)
    const exited = once(child, 'exit')
    // The folder is locked right after the signals are handled.
    await expect.poll(() => existsSync(join(parent, 'data', 'lock.db')), { interval: 1 }).toBe(true)
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(await errors).toBe('')
  })
})
