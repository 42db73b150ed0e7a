import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { watchMemory } from '../process-memory.ts'
import { FrameReader } from './frames.ts'
import { OutcomeReader } from './outcome-reader.ts'
import type { ExtractedText, ExtractionFault, ExtractionRequest, TextExtractor } from './port.ts'
import { ExtractionError } from './port.ts'

export interface ExtractorOptions {
  timeoutMs?: number
  heapMegabytes?: number
  /** Limit for resident memory, which includes memory outside V8's heap. Enforced on Linux only. */
  residentBytes?: number
}

const defaults: Required<ExtractorOptions> = {
  timeoutMs: 120_000,
  heapMegabytes: 512,
  residentBytes: 1024 * 1024 * 1024,
}

const maxErrorLength = 4096
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
    resolvePath('../../../package.json'),
    resolvePath('../../../node_modules'),
    packages,
  ]
  return ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

interface Child {
  process: ChildProcess
  frames: Readable
  errorOutput: () => string
}

function start(kind: string, folder: string, limits: Required<ExtractorOptions>): Child {
  const args = [
    `--max-old-space-size=${limits.heapMegabytes}`,
    '--no-warnings',
    ...createPermissionFlags(),
    entryPath,
    kind,
  ]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {},
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorLength)
  })
  return { process: child, frames: child.stdio[3] as Readable, errorOutput: () => errorOutput }
}

/** Resolves when the process has exited and its output has been read. */
function waitForExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
}

/** Writes the file to the child's stdin. Throws only if the file cannot be read; an early exit is handled elsewhere. */
async function writeInput(request: ExtractionRequest, stdin: Writable): Promise<void> {
  stdin.on('error', () => undefined)
  const source = await request.open()
  function stop(): unknown {
    return source.destroy()
  }
  stdin.once('close', stop)
  try {
    for await (const chunk of source) {
      if (!stdin.write(chunk)) await once(stdin, 'drain')
    }
    stdin.end()
  } catch (error) {
    if (!stdin.destroyed) throw error
  } finally {
    stdin.off('close', stop)
  }
}

function getFault(child: Child, killedFor: ExtractionFault | null): ExtractionFault {
  if (killedFor) return killedFor
  return /heap out of memory|allocation fail/i.test(child.errorOutput()) ? 'out_of_memory' : 'crashed'
}

async function runChild(
  request: ExtractionRequest,
  folder: string,
  limits: Required<ExtractorOptions>,
): Promise<ExtractedText> {
  const child = start(request.kind, folder, limits)
  let killedFor: ExtractionFault | null = null
  function kill(fault: ExtractionFault | null): void {
    killedFor ??= fault
    child.process.kill('SIGKILL')
  }
  function onAbort(): void {
    kill(null)
  }
  const timer = setTimeout(() => kill('timeout'), limits.timeoutMs)
  const { pid } = child.process
  const stopWatching = pid
    ? watchMemory(pid, limits.residentBytes, () => kill('out_of_memory'))
    : () => undefined
  request.signal?.addEventListener('abort', onAbort, { once: true })

  const outcomes = new OutcomeReader(request.onProgress)
  const reader = new FrameReader()
  child.frames.on('error', () => undefined)
  child.frames.on('data', (chunk: Buffer) => {
    try {
      for (const value of reader.read(chunk)) outcomes.accept(value)
    } catch {
      kill('crashed')
    }
  })
  try {
    const exited = waitForExit(child.process)
    if (child.process.stdin) {
      // Stop reading a stalled file when the child exits.
      await Promise.race([writeInput(request, child.process.stdin), exited]).catch(async (error: unknown) => {
        kill(null)
        await exited
        throw error
      })
    }
    await exited
    request.signal?.throwIfAborted()
    if (killedFor || !outcomes.outcome) {
      throw new ExtractionError(getFault(child, killedFor), { cause: child.errorOutput() })
    }
    if ('fault' in outcomes.outcome) {
      throw new ExtractionError(outcomes.outcome.fault, { cause: outcomes.outcome.detail })
    }
    return outcomes.outcome.text
  } finally {
    clearTimeout(timer)
    stopWatching()
    request.signal?.removeEventListener('abort', onAbort)
  }
}

async function withEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-extract-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Extracts documents one at a time, each in a child process that can fail without affecting this one. */
export function createTextExtractor(options: ExtractorOptions = {}): TextExtractor {
  const limits = { ...defaults, ...options }
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()

  async function extract(request: ExtractionRequest): Promise<ExtractedText> {
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal
    const work = last.then(() => {
      signal.throwIfAborted()
      return withEmptyFolder((folder) => runChild({ ...request, signal }, folder, limits))
    })
    last = work.catch(() => undefined)
    return await work
  }

  return {
    extract,
    close: async () => {
      closing.abort(new Error('the text extractor was closed'))
      await last
    },
  }
}
