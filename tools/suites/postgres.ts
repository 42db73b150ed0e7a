import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addPgvector } from '../peers/pgvector.ts'
import { canInstall, install } from './debian.ts'

type Account = { uid?: number; gid?: number }
type Settings = Record<string, string | number>

let stopServer: () => Promise<void> = async () => {}

/**
 * Runs once before the tests on PostgreSQL. Uses the server named by TEST_POSTGRES_URL; without it, starts a server
 * for this run and removes it afterwards. Its data lives only as long as the run, so a crash of the machine may lose it.
 */
export function setup(): Promise<void> {
  return start({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
}

/** Like `setup`, with commits that wait for the disk, as those of a real server do. */
export function setupDurable(): Promise<void> {
  return start({})
}

async function start(settings: Settings): Promise<void> {
  if (process.env['TEST_POSTGRES_URL']) return
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-postgres-'))
  const binaries = copyWithPgvector(findBinaries() ?? installBinaries(), folder)
  const account = prepareAccount(folder)
  const password = randomBytes(16).toString('hex')
  const port = await findFreePort()
  createCluster(binaries, folder, account, password)
  const server = startServer(binaries, folder, account, { ...settings, port })
  function abandon() {
    return killServer(server, folder)
  }
  process.once('exit', abandon)
  stopServer = async () => {
    process.removeListener('exit', abandon)
    delete process.env['TEST_POSTGRES_URL']
    stopServer = async () => {}
    await stopPostgres(server)
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
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(packaged, version, 'bin')),
  ]
  return (
    folders.find(
      (binaryFolder) =>
        existsSync(join(binaryFolder, 'initdb')) && existsSync(join(binaryFolder, 'postgres')),
    ) ?? null
  )
}

function installBinaries(): string {
  if (canInstall()) install('postgresql')
  const binaries = findBinaries()
  if (binaries) return binaries
  throw new Error(
    'The tests need PostgreSQL: please install its server (initdb and postgres), or set TEST_POSTGRES_URL to a running one.',
  )
}

/** Without pgvector, only its tests fail, and say why. */
function copyWithPgvector(binaries: string, folder: string): string {
  try {
    return addPgvector(binaries, join(folder, 'postgresql'))
  } catch (error) {
    process.env['TEST_PGVECTOR_FAULT'] = `The tests of pgvector cannot run: ${(error as Error).message}`
    return binaries
  }
}

/** PostgreSQL refuses to run as root, so root starts it under the account that its package created. */
function prepareAccount(folder: string): Account {
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

function startServer(binaries: string, folder: string, account: Account, settings: Settings): ChildProcess {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    log_min_messages: 'fatal',
    ...settings,
  }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(join(binaries, 'postgres'), ['-D', join(folder, 'cluster'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    ...account,
  })
}

function getStatusFile(folder: string) {
  return join(folder, 'cluster', 'postmaster.pid')
}

/** Reads the state from the last line of postmaster.pid: a server that listens may still refuse connections. */
async function waitUntilReady(server: ChildProcess, folder: string): Promise<void> {
  const status = getStatusFile(folder)
  for (let attempt = 0; attempt < 2400; attempt += 1) {
    if (server.exitCode !== null) throw new Error('The PostgreSQL server for the tests exited at once.')
    if (existsSync(status) && /^ready\s*$/m.test(readFileSync(status, 'utf8'))) return
    await pause(50)
  }
  throw new Error('The PostgreSQL server for the tests did not become ready in two minutes.')
}

/** Stops the server if the run is interrupted before its teardown. Blocks, because an exit handler cannot await. */
function killServer(server: ChildProcess, folder: string): void {
  server.kill('SIGQUIT')
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let attempt = 0; attempt < 60 && existsSync(getStatusFile(folder)); attempt += 1) {
    Atomics.wait(clock, 0, 0, 50)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** SIGINT makes PostgreSQL end its sessions and shut down at once. */
function stopPostgres(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
