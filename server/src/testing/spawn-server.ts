import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const mainPath = fileURLToPath(new URL('../main.ts', import.meta.url))
const startWithin = 90_000

/** A port that is free at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export interface SpawnedServer {
  url: string
  /** What it printed so far, both streams. */
  output: () => string
  /** The link for the first person, once printed. */
  setupToken: () => string
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Ends it as an operator would; answers with its exit code. */
  stop(): Promise<number | null>
  /** Resolves when the process has ended by itself, as at a fault point. */
  ended: Promise<void>
  /** Resolves with the exit code when the process has stopped by itself. */
  exitCode: Promise<number | null>
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + startWithin
  // It answers a moment before it prints the link for the first person.
  while (!(/Lyceum is ready/.test(output()) && (await isReady(url)))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline)
      throw new Error(`the server did not start:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The real server as a process of its own, on a data folder and settings given as the environment would. */
export async function spawnServer(env: Record<string, string>): Promise<SpawnedServer> {
  const port = env['PORT'] ?? String(await freePort())
  const child = spawn(process.execPath, [mainPath], {
    env: {
      LOG_LEVEL: 'error',
      RATE_LIMIT_SCALE: '1000',
      BACKUP_EVERY: 'off',
      ...env,
      PORT: port,
      PATH: '/usr/bin:/bin',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child, () => printed)
  return {
    url,
    output: () => printed,
    setupToken: () => /register\?token=([\w-]+)/.exec(printed)?.[1] ?? '',
    ended: exited.then(() => undefined),
    exitCode: exited.then(([code]) => code),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}
