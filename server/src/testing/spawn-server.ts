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
  /** The process id of the command, which need not be the server itself. */
  pid: number
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

async function isAnswering(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + startTimeout
  // The server answers shortly before it prints the registration link.
  while (!(/Lyceum is ready/.test(output()) && (await isAnswering(url)))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline)
      throw new Error(`the server did not start:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** How to start the server. */
export interface Launcher {
  command: readonly [program: string, ...args: string[]]
  cwd?: string
  env?: Record<string, string>
}

const direct: Launcher = { command: [process.execPath, mainPath] }

interface LaunchedServer {
  child: ChildProcess
  url: string
  /** Everything printed so far to stdout and stderr. */
  output: () => string
}

/** Starts the server as a separate process and does not wait until it is ready. */
export async function launchServer(
  env: Record<string, string>,
  launcher: Launcher = direct,
): Promise<LaunchedServer> {
  const port = env['PORT'] ?? String(await findFreePort())
  const [program, ...args] = launcher.command
  const child = spawn(program, args, {
    cwd: launcher.cwd,
    detached: launcher !== direct,
    env: {
      LOG_LEVEL: 'error',
      RATE_LIMIT_SCALE: '1000',
      BACKUP_EVERY: 'off',
      PATH: '/usr/bin:/bin',
      ...launcher.env,
      ...env,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return { child, url: `http://127.0.0.1:${port}`, output: () => printed }
}

/** Starts the server as a separate process with the given environment; with a launcher, in its own process group. */
export async function spawnServer(
  env: Record<string, string>,
  launcher: Launcher = direct,
): Promise<SpawnedServer> {
  const { child, url, output } = await launchServer(env, launcher)
  const exited = once(child, 'exit') as Promise<[number | null]>
  await waitUntilReady(url, child, output)
  if (child.pid === undefined) throw new Error('the server has no process id')
  return {
    url,
    pid: child.pid,
    output,
    setupToken: () => /register\?token=([\w-]+)/.exec(output())?.[1] ?? '',
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
