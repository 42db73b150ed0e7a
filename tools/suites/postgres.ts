import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { canInstall, install } from './debian.ts'

type Account = { uid?: number; gid?: number }

let stopServer: () => Promise<void> = async () => {}

/**
 * Vitest calls this once before the suite runs on PostgreSQL. A server named by TEST_POSTGRES_URL is used as it is;
 * otherwise one is made for this run alone and taken away afterwards.
 */
export async function setup(): Promise<void> {
  if (process.env['TEST_POSTGRES_URL']) return
  const binaries = findBinaries() ?? installBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-postgres-'))
  const account = accountFor(folder)
  const password = randomBytes(16).toString('hex')
  const port = await freePort()
  createCluster(binaries, folder, account, password)
  const server = startServer(binaries, folder, account, port)
  function abandon() {
    return abandonServer(server, folder)
  }
  process.once('exit', abandon)
  stopServer = async () => {
    process.removeListener('exit', abandon)
    await stopped(server)
    rmSync(folder, { recursive: true })
  }
  await waitUntilReady(server, folder)
  process.env['TEST_POSTGRES_URL'] = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

export async function teardown(): Promise<void> {
  await stopServer()
}

function findBinaries(): string | null {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  const places = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(packaged, version, 'bin')),
  ]
  return (
    places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres'))) ?? null
  )
}

function installBinaries(): string {
  if (canInstall()) install('postgresql')
  const binaries = findBinaries()
  if (binaries) return binaries
  throw new Error(
    'The tests need PostgreSQL: please install its server (initdb and postgres), or name a running one in TEST_POSTGRES_URL.',
  )
}

/** PostgreSQL refuses to run as root, so root lends it the account that its package made. */
function accountFor(folder: string): Account {
  if (userInfo().uid !== 0) return {}
  function id(flag: string) {
    return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  }
  const account = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, account.uid, account.gid)
  return account
}

function createCluster(binaries: string, folder: string, account: Account, password: string): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account.uid !== undefined && account.gid !== undefined)
    chownSync(passwordFile, account.uid, account.gid)
  const args = [
    ...['--pgdata', join(folder, 'cluster'), '--username', 'postgres', '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
  ]
  execFileSync(join(binaries, 'initdb'), args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    ...account,
  })
}

function startServer(binaries: string, folder: string, account: Account, port: number): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    // What is lost with the machine may be lost: the records live as long as the run.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    log_min_messages: 'fatal',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(join(binaries, 'postgres'), ['-D', join(folder, 'cluster'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    ...account,
  })
}

function statusFile(folder: string) {
  return join(folder, 'cluster', 'postmaster.pid')
}

/** The server notes in the last line of this file how far it is; a connection could be refused long after it listens. */
async function waitUntilReady(server: ChildProcess, folder: string): Promise<void> {
  const status = statusFile(folder)
  for (let attempt = 0; attempt < 2400; attempt += 1) {
    if (server.exitCode !== null) throw new Error('The PostgreSQL server for the tests ended at once.')
    if (existsSync(status) && /^ready\s*$/m.test(readFileSync(status, 'utf8'))) return
    await pause(50)
  }
  throw new Error('The PostgreSQL server for the tests did not become ready in two minutes.')
}

/** For a run that is broken off before its teardown: nothing can be awaited any more, so this blocks. */
function abandonServer(server: ChildProcess, folder: string): void {
  server.kill('SIGQUIT')
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let attempt = 0; attempt < 60 && existsSync(statusFile(folder)); attempt += 1) {
    Atomics.wait(clock, 0, 0, 50)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** SIGINT is its word for: end the sessions and shut down now. */
function stopped(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
