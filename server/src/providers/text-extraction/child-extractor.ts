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
import { Outcomes } from './child-frames.ts'
import { FrameReader } from './frames.ts'
import type { ExtractedText, ExtractionFault, ExtractionRequest, TextExtractor } from './port.ts'
import { ExtractionError } from './port.ts'

export interface ExtractorOptions {
  timeoutMs?: number
  heapMegabytes?: number
  /** Resident memory, which also counts what V8's heap limit does not. Watched on Linux only. */
  residentBytes?: number
}

const defaults: Required<ExtractorOptions> = {
  timeoutMs: 120_000,
  heapMegabytes: 512,
  residentBytes: 1024 * 1024 * 1024,
}

const mostComplaint = 4096
const entry = fileURLToPath(new URL('./child-entry.ts', import.meta.url))
function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** The child may read code, never data. It may write, start and load natively nothing at all. */
export function confinement(): string[] {
  const pdfjs = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
  const packages = dirname(dirname(pdfjs))
  const readable = [beside('./'), beside('../../../package.json'), beside('../../../node_modules'), packages]
  return ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

interface Child {
  process: ChildProcess
  frames: Readable
  complaint: () => string
}

function start(kind: string, folder: string, limits: Required<ExtractorOptions>): Child {
  const args = [
    `--max-old-space-size=${limits.heapMegabytes}`,
    '--no-warnings',
    ...confinement(),
    entry,
    kind,
  ]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {},
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-mostComplaint)
  })
  return { process: child, frames: child.stdio[3] as Readable, complaint: () => complaint }
}

/** Resolves when the process is gone and everything it wrote has been read. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
}

/** Gives the child its file. That the child ends early is its own story; only a file that cannot be read fails here. */
async function feed(request: ExtractionRequest, stdin: Writable): Promise<void> {
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

function faultOf(child: Child, killedFor: ExtractionFault | null): ExtractionFault {
  if (killedFor) return killedFor
  return /heap out of memory|allocation fail/i.test(child.complaint()) ? 'out_of_memory' : 'crashed'
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

  const outcomes = new Outcomes(request.onProgress)
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
    const gone = ended(child.process)
    if (child.process.stdin) {
      // A source that never ends must not outlive its child.
      await Promise.race([feed(request, child.process.stdin), gone]).catch(async (error: unknown) => {
        kill(null)
        await gone
        throw error
      })
    }
    await gone
    request.signal?.throwIfAborted()
    if (killedFor || !outcomes.outcome) {
      throw new ExtractionError(faultOf(child, killedFor), { cause: child.complaint() })
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

async function inEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-extract-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads documents one after the other, each in a process of its own that may fail without disturbing this one. */
export function createTextExtractor(options: ExtractorOptions = {}): TextExtractor {
  const limits = { ...defaults, ...options }
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()

  async function extract(request: ExtractionRequest): Promise<ExtractedText> {
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal
    const work = last.then(() => {
      signal.throwIfAborted()
      return inEmptyFolder((folder) => runChild({ ...request, signal }, folder, limits))
    })
    last = work.catch(() => undefined)
    return await work
  }

  return {
    extract,
    close: async () => {
      closing.abort(new Error('The text extractor was closed'))
      await last
    },
  }
}
