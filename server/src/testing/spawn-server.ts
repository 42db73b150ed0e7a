import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const mainPath = fileURLToPath(new URL('../main.ts', import.meta.url))
const startTimeout = 90_000

/** Finds a port that is free now. */
export async function findFreePort(): Promise<number> {
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
  /** Everything printed so far to stdout and stderr. */
  output: () => string
  /** The token of the printed registration link for the first administrator, or an empty string. */
  setupToken: () => string
  /** Kills the process, as a power failure would. */
  kill(): Promise<void>
  /** Stops the process as an operator would and returns its exit code. */
  stop(): Promise<number | null>
  /** Resolves when the process has exited, for example at a fault point. */
  whenEnded: Promise<void>
  /** Resolves with the exit code when the process has exited; null if a signal ended it. */
  exitCode: Promise<number | null>
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + startTimeout
  // The server answers shortly before it prints the registration link.
  while (!(/Lyceum is ready/.test(output()) && (await isReady(url)))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline)
      throw new Error(`the server did not start:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Starts the server as a separate process with the given environment. */
export async function spawnServer(env: Record<string, string>): Promise<SpawnedServer> {
  const port = env['PORT'] ?? String(await findFreePort())
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
    whenEnded: exited.then(() => undefined),
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
