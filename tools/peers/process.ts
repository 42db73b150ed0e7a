import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canInstall, install } from '../suites/debian.ts'

const startTimeout = 120_000

/** Finds a program in PATH or in /usr/sbin, where servers are. Installs its Debian package if it is missing. */
export function requireProgram(name: string, debianPackage = name): string {
  const found = findProgram(name)
  if (found) return found
  if (canInstall()) install(debianPackage)
  const installed = findProgram(name)
  if (installed) return installed
  throw new Error(`This test needs ${name}: please install the package ${debianPackage}.`)
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Runs a program to its end. */
export function runProgram(path: string, args: string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync(path, args, { encoding: 'utf8', input })
  if (status === 0) return stdout
  throw new Error(`${path} ${args[0]} failed: ${error?.message ?? stderr}`)
}

export interface PeerProcess {
  /** Everything printed so far. */
  output: () => string
  stop(): Promise<void>
}

/** Starts a server and waits until `isReady` is true. */
export async function startPeer(
  path: string,
  args: string[],
  isReady: () => Promise<boolean>,
  env: Record<string, string> = {},
): Promise<PeerProcess> {
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  const exited = once(child, 'exit')
  function kill(): void {
    child.kill('SIGKILL')
  }
  // Also if the run is interrupted.
  process.once('exit', kill)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const deadline = performance.now() + startTimeout
  while (!(await isReady())) {
    if (hasEnded(child) || performance.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${path} did not start:\n${printed}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    output: () => printed,
    async stop() {
      process.removeListener('exit', kill)
      if (!hasEnded(child)) child.kill('SIGTERM')
      await exited
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
