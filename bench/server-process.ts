import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../server/src/testing/spawn-server.ts'

/** The first start in a checkout builds the web client. */
const startTimeoutMs = 180_000

/** Milliseconds of CPU time in one tick of /proc. */
export const tickMs = 10

export interface Process {
  url: string
  /** Milliseconds from the start of the process until it answered. */
  readyAfter: number
  /** CPU time of all threads so far, in milliseconds. */
  cpu(): number
  /** Resident memory in megabytes. */
  memory(): number
  /** Open files, sockets included. */
  openFiles(): number
  stop(): Promise<void>
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function isAnswering(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once('error', () => resolve(false))
  })
}

/** The fields of /proc/<pid>/stat after the name. */
export function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readMemory(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

interface Options {
  /** A script for Node, or with `command` its first argument. */
  script: string
  /** An executable other than Node, which gets the port as an argument. */
  command?: string
  env: Record<string, string>
  /** The path that is polled until it answers. */
  readyPath: string
}

/** A process that serves HTTP, measured through /proc. */
export async function startProcess({ script, command, env, readyPath }: Options): Promise<Process> {
  const port = String(await findFreePort())
  const begun = performance.now()
  const args = command ? [script, '--host', '127.0.0.1', '--port', port] : [script]
  const child = spawn(command ?? process.execPath, args, {
    env: { ...env, PORT: port, PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-4000)
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await isAnswering(url + readyPath))) {
    if (child.exitCode !== null || performance.now() - begun > startTimeoutMs) {
      child.kill('SIGKILL')
      throw new Error(`${script} did not start:\n${errorOutput}`)
    }
    await pause(10)
  }
  const pid = child.pid ?? 0
  return {
    url,
    readyAfter: performance.now() - begun,
    cpu: () => {
      const fields = readStat(pid)
      return (Number(fields[11]) + Number(fields[12])) * tickMs
    },
    memory: () => readMemory(pid),
    openFiles: () => readdirSync(`/proc/${pid}/fd`).length,
    stop: () => stopChild(child),
  }
}

const startScript = fileURLToPath(new URL('../bin/start.mjs', import.meta.url))

/** Starts the server as an operator does, without a model unless `env` sets one. */
export function startServerOn(folder: string, env: Record<string, string> = {}): Promise<Process> {
  return startProcess({
    script: startScript,
    env: { DATA_DIR: folder, LOG_LEVEL: 'error', RATE_LIMIT_SCALE: '100000', ...env },
    readyPath: '/readyz',
  })
}

/** Runs a task with a temporary folder. */
export async function withFolder<R>(work: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
