import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { findFreePort } from './spawn-server.ts'

// biome-ignore lint/style/noProcessEnv: the test run finds the program and sets these
const { TEST_REDIS_SERVER, TEST_REDIS_FAULT } = process.env

const startTimeout = 60_000
const pingPause = 20

function requireRedisServer(): string {
  if (TEST_REDIS_SERVER) return TEST_REDIS_SERVER
  throw new Error(
    TEST_REDIS_FAULT ?? 'TEST_REDIS_SERVER is not set. The test runner sets it to the path of redis-server.',
  )
}

/** A Redis of one test, without persistence. */
export interface TestRedis {
  url: string
  /** The same address with a password that is wrong. */
  wrongUrl: string
  /** The passwords of both, as in the addresses and decoded. */
  secrets: string[]
  /** Runs commands for the test. */
  client: Redis
  kill(): Promise<void>
  /** Starts an empty one in its place. */
  start(): Promise<void>
  /** Stops it as an operator would. */
  stop(): Promise<void>
  /** Suspends it: connections stay open, and nothing is answered. */
  pause(): void
  resume(): void
  /** Refuses to store more, or stores again. */
  setFull(isFull: boolean): Promise<void>
  close(): Promise<void>
}

async function launch(
  port: number,
  password: string,
  folder: string,
  extra: readonly string[],
): Promise<ChildProcess> {
  const child = spawn(
    requireRedisServer(),
    [
      ...['--port', String(port), '--bind', '127.0.0.1', '--requirepass', password, '--dir', folder],
      ...['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
      ...extra,
    ],
    { stdio: 'ignore' },
  )
  child.on('error', () => undefined)
  const client = new Redis({ host: '127.0.0.1', port, password, lazyConnect: true, retryStrategy: null })
  client.on('error', () => undefined)
  const deadline = performance.now() + startTimeout
  while (
    !(await client.connect().then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('redis-server did not start')
    await sleep(pingPause)
  }
  client.disconnect()
  return child
}

/** Starts a server that only this machine reaches, perhaps with more arguments. */
export async function startTestRedis(...extra: readonly string[]): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-redis-'))
  const port = await findFreePort()
  const password = 'a+secret/of@redis'
  const [encoded, wrong] = [password, `wrong ${password}`].map(encodeURIComponent)
  let child = await launch(port, password, folder, extra)
  const client = new Redis({ host: '127.0.0.1', port, password })
  client.on('error', () => undefined)

  function killOnExit(): void {
    child.kill('SIGKILL')
  }
  process.once('exit', killOnExit)

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    await exited
  }

  return {
    url: `redis://:${encoded}@127.0.0.1:${port}`,
    wrongUrl: `redis://:${wrong}@127.0.0.1:${port}`,
    secrets: [password, encodeURIComponent(password)],
    client,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async start() {
      child = await launch(port, password, folder, extra)
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async setFull(isFull) {
      await client.config('SET', 'maxmemory', isFull ? '1' : '0')
    },
    async close() {
      process.removeListener('exit', killOnExit)
      client.disconnect()
      await end('SIGKILL')
      rmSync(folder, { recursive: true })
    },
  }
}
