import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { DocumentKind } from '@lyceum/contract/documents'

export interface MemoryLimits {
  heapMegabytes: number
  /** Memory that the child may own, inside and outside V8's heap. The kernel refuses more; on Linux only. */
  dataMegabytes: number
}

export interface ChildRequest {
  kind: DocumentKind
  /** Pages of a PDF that an earlier child could not read. */
  unreadPages: readonly number[]
  isLowPriority: boolean
  /** An empty folder to run in. */
  folder: string
}

export interface Child {
  process: ChildProcess
  frames: Readable
  errorOutput: () => string
}

const maxErrorLength = 4096
/** The kernel counts the address space that V8 reserves for machine code, although most of it is never used. */
const codeRangeMegabytes = 512
const entryPath = fileURLToPath(new URL('./child-entry.ts', import.meta.url))

function resolvePath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** The child may read code but no data, and may not write files, start processes or load native add-ons. */
export function createPermissionFlags(): string[] {
  const pdfjs = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
  const packages = dirname(dirname(pdfjs))
  const readable = [
    resolvePath('./'),
    resolvePath('../../lib/'),
    resolvePath('../../../package.json'),
    resolvePath('../../../node_modules'),
    packages,
  ]
  return ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

/**
 * Node cannot limit a child's memory, but a shell can, before it becomes the child. If the machine itself runs out of
 * memory, the kernel ends this process before any other.
 */
const limitMemory = [
  '{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null',
  'ulimit -d "$0" 2> /dev/null',
  'exec "$@"',
].join('\n')

function createCommand(args: readonly string[], dataMegabytes: number): [string, string[]] {
  if (process.platform !== 'linux') return [process.execPath, [...args]]
  const kilobytes = (codeRangeMegabytes + dataMegabytes) * 1024
  return ['/bin/sh', ['-c', limitMemory, String(kilobytes), process.execPath, ...args]]
}

/** Leaves the processor to others. Without permission to do so, the child runs at normal priority. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}

export function startChild(request: ChildRequest, limits: MemoryLimits): Child {
  const [command, args] = createCommand(
    [
      `--max-old-space-size=${limits.heapMegabytes}`,
      '--no-warnings',
      ...createPermissionFlags(),
      entryPath,
      request.kind,
      request.unreadPages.join(','),
    ],
    limits.dataMegabytes,
  )
  const child = spawn(command, args, {
    cwd: request.folder,
    env: {},
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  if (request.isLowPriority && child.pid) lowerPriority(child.pid)
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorLength)
  })
  return { process: child, frames: child.stdio[3] as Readable, errorOutput: () => errorOutput }
}
