import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { isStopSignal } from '../../lib/stop-signals.ts'
import { type ProcessUsage, watchUsage } from '../process-usage.ts'
import { unreadableExitCode } from './child-exit.ts'
import { detectImageKind, type ImageKind } from './image-kind.ts'
import { type ImageEncoder, ImageError, type ReencodedImage } from './port.ts'

export interface EncoderOptions {
  timeoutMs?: number
  /** Limit for the resident memory of the child, enforced on Linux only. */
  residentBytes?: number
  /** How many pictures may wait. */
  maxWaiting?: number
}

const defaults: Required<EncoderOptions> = {
  timeoutMs: 10_000,
  residentBytes: 400 * 1024 * 1024,
  maxWaiting: 32,
}

/** Far more than a picture of the maximum size needs. */
const maxBytes = 24 * 1024 * 1024
const maxErrorLength = 4096
const entryPath = fileURLToPath(new URL('./child-entry.ts', import.meta.url))
function resolvePath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** The child may read code but no data, and may not write files or start processes. Add-ons are needed for decoding. */
function createPermissionFlags(): string[] {
  const library = createRequire(import.meta.url).resolve('sharp')
  const packages = library.slice(0, library.lastIndexOf(`${sep}sharp${sep}`))
  const readable = [
    resolvePath('./'),
    resolvePath('../../lib/'),
    resolvePath('../../../package.json'),
    packages,
  ]
  return ['--permission', '--allow-addons', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

function startChild(kind: ImageKind, signal: AbortSignal) {
  const child = spawn(process.execPath, ['--no-warnings', ...createPermissionFlags(), entryPath, kind], {
    cwd: tmpdir(),
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  const output: Buffer[] = []
  let size = 0
  let errorOutput = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) child.kill('SIGKILL')
    else output.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorLength)
  })
  return { child, output: () => Buffer.concat(output), errorOutput: () => errorOutput }
}

/** The child may exit before reading all input. Only a failure to read the file is an error here. */
function ignoreEarlyExit(error: NodeJS.ErrnoException): void {
  if (error.syscall === 'read' || error.syscall === 'open') throw error
}

async function runChild(
  path: string,
  kind: ImageKind,
  limits: Required<EncoderOptions>,
  signal: AbortSignal,
): Promise<ReencodedImage> {
  const { child, output, errorOutput } = startChild(kind, signal)
  function kill(): boolean {
    return child.kill('SIGKILL')
  }
  function checkMemory({ residentBytes }: ProcessUsage): void {
    if (residentBytes > limits.residentBytes) kill()
  }
  const timer = setTimeout(kill, limits.timeoutMs)
  const stopWatching = child.pid ? watchUsage(child.pid, checkMemory) : () => undefined
  try {
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    const [, [code, killedBy]] = await Promise.all([
      pipeline(createReadStream(path), child.stdin).catch(ignoreEarlyExit),
      closed,
    ])
    if (code === 0) return { content: output(), mimeType: 'image/webp' }
    // The whole server was asked to stop, and the child was not ready to ignore it yet.
    if (isStopSignal(killedBy)) throw new ImageError('busy')
    if (code === unreadableExitCode || killedBy !== null)
      throw new ImageError('unreadable', { cause: killedBy ?? errorOutput() })
    throw new Error(`picture encoder exited with code ${code}`, { cause: errorOutput() })
  } finally {
    clearTimeout(timer)
    stopWatching()
  }
}

/**
 * Re-encodes pictures one at a time, each in its own process. A file that crashes the decoder affects nothing else, and
 * the memory is released with the process.
 */
export function createImageEncoder(options: EncoderOptions = {}): ImageEncoder {
  const limits = { ...defaults, ...options }
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return {
    async reencode(path) {
      const kind = await detectImageKind(path)
      if (kind === null) throw new ImageError('type')
      if (waiting >= limits.maxWaiting) throw new ImageError('busy')
      waiting += 1
      const work = last.then(() => {
        closing.signal.throwIfAborted()
        return runChild(path, kind, limits, closing.signal)
      })
      last = work.catch(() => undefined)
      try {
        return await work
      } finally {
        waiting -= 1
      }
    },
    async close() {
      closing.abort(new Error('the picture encoder was closed'))
      await last
    },
  }
}
