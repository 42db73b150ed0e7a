import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChildLimits, runChild } from './child-run.ts'
import type { Extraction, ExtractionLane, ExtractionRequest, TextExtractor } from './port.ts'
import { ExtractionError, TooSlowError } from './port.ts'

export interface ExtractorOptions extends Partial<ChildLimits> {
  /** How long a document may occupy the quick lane. */
  quickMs?: number
}

const mebibyte = 1024 * 1024

const defaults: Required<ExtractorOptions> = {
  quickMs: 10_000,
  pageCpuMs: 10_000,
  fileCpuMs: 120_000,
  stalledMs: 20 * 60_000,
  heapMegabytes: 512,
  residentBytes: 640 * mebibyte,
  dataMegabytes: 768,
}

async function withEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-extract-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Reads a file in as many children as it needs. When one page takes too much time or memory, the next child starts over
 * without it, so that one bad page does not cost the reader all others. The time limit of the file covers all children.
 */
async function readFile(
  request: ExtractionRequest,
  signal: AbortSignal,
  limits: ChildLimits,
): Promise<Extraction> {
  const unreadPages: number[] = []
  let cpuMs = 0
  let cause: unknown
  for (;;) {
    const run = await withEmptyFolder((folder) =>
      runChild(
        { ...request, signal, unreadPages, folder },
        { ...limits, fileCpuMs: limits.fileCpuMs - cpuMs },
      ),
    )
    if ('text' in run) return { ...run.text, unreadPages }
    cpuMs += run.cpuMs
    // Without the unread pages there is no text, so they are the reason.
    if (run.fault === 'no_text' && cause !== undefined) throw cause
    cause = new ExtractionError(run.fault, { cause: run.detail })
    if (run.unreadPage === null) throw cause
    unreadPages.push(run.unreadPage)
  }
}

async function readQuickly(
  request: ExtractionRequest,
  signal: AbortSignal,
  limits: Required<ExtractorOptions>,
): Promise<Extraction> {
  const tooSlow = new AbortController()
  const timer = setTimeout(() => tooSlow.abort(new TooSlowError()), limits.quickMs)
  try {
    return await readFile(request, AbortSignal.any([signal, tooSlow.signal]), limits)
  } finally {
    clearTimeout(timer)
  }
}

/** Extracts documents in child processes that can fail without affecting this one, one at a time in each lane. */
export function createTextExtractor(options: ExtractorOptions = {}): TextExtractor {
  const limits = { ...defaults, ...options }
  const closing = new AbortController()
  const last: Record<ExtractionLane, Promise<unknown>> = { quick: Promise.resolve(), slow: Promise.resolve() }

  async function extract(request: ExtractionRequest): Promise<Extraction> {
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal
    const read = request.lane === 'quick' ? readQuickly : readFile
    const work = last[request.lane].then(() => {
      signal.throwIfAborted()
      return read(request, signal, limits)
    })
    last[request.lane] = work.catch(() => undefined)
    return await work
  }

  return {
    extract,
    close: async () => {
      closing.abort(new Error('the text extractor was closed'))
      await Promise.all(Object.values(last))
    },
  }
}
