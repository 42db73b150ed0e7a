import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { type ProcessUsage, watchUsage } from '../process-usage.ts'
import { type Child, type MemoryLimits, startChild } from './child-process.ts'
import { FrameReader } from './frames.ts'
import { OutcomeReader } from './outcome-reader.ts'
import type { ExtractedText, ExtractionFault, ExtractionRequest } from './port.ts'

export interface ChildLimits extends MemoryLimits {
  /** CPU time for one page of a PDF. */
  pageCpuMs: number
  /** CPU time for the whole file. */
  fileCpuMs: number
  /** How long a child may wait without using CPU time, for a file that cannot be read, for example. */
  stalledMs: number
  /** Resident memory at which the child is killed. Enforced on Linux only. */
  residentBytes: number
}

export interface RunRequest extends ExtractionRequest {
  signal: AbortSignal
  unreadPages: readonly number[]
  folder: string
}

interface FailedRun {
  fault: ExtractionFault
  detail: string
  /** The page that took too much time or memory; null if the file as a whole failed. */
  unreadPage: number | null
  cpuMs: number
}

export type Run = { text: ExtractedText } | FailedRun

/** Resolves when the process has exited and its output has been read. */
function waitForExit({ process: child }: Child): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
}

/** Writes the file to the child's stdin. Throws only if the file cannot be read; an early exit is handled elsewhere. */
async function writeInput(open: () => Promise<Readable>, stdin: Writable): Promise<void> {
  stdin.on('error', () => undefined)
  const source = await open()
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

interface Watch {
  kill(fault: ExtractionFault | null): void
  getRun(): Run
  stop(): void
}

/** Reads a child's output, measures what it uses, and kills it when it exceeds a limit. */
function watchChild(child: Child, limits: ChildLimits, onProgress: (percent: number) => void): Watch {
  let killedFor: ExtractionFault | null = null
  let cpuMs = 0
  let page: { number: number; startCpuMs: number } | null = null

  function kill(fault: ExtractionFault | null): void {
    killedFor ??= fault
    child.process.kill('SIGKILL')
  }

  function check(usage: ProcessUsage): void {
    cpuMs = usage.cpuMs
    if (usage.residentBytes > limits.residentBytes) kill('out_of_memory')
    else if (page && cpuMs - page.startCpuMs > limits.pageCpuMs) kill('timeout')
    else if (cpuMs > limits.fileCpuMs) {
      page = null
      kill('timeout')
    }
  }

  const outcomes = new OutcomeReader((number, pages) => {
    page = number === null ? null : { number, startCpuMs: cpuMs }
    if (number !== null) onProgress((100 * (number - 1)) / pages)
  })
  const frames = new FrameReader()
  child.frames.on('error', () => undefined)
  child.frames.on('data', (chunk: Buffer) => {
    try {
      for (const value of frames.read(chunk)) outcomes.accept(value)
    } catch {
      kill('crashed')
    }
  })
  const { pid } = child.process
  const stopWatching = pid ? watchUsage(pid, check) : () => undefined
  const timer = setTimeout(() => kill('crashed'), limits.stalledMs)

  return {
    kill,
    getRun() {
      const { outcome } = outcomes
      if (outcome && 'text' in outcome && killedFor === null) return outcome
      const reported = outcome && 'fault' in outcome ? outcome : null
      const fault = killedFor ?? reported?.fault ?? getCrashFault(child)
      const isPageFault = fault === 'timeout' || fault === 'out_of_memory'
      return {
        fault,
        detail: reported?.detail ?? child.errorOutput(),
        unreadPage: isPageFault && page ? page.number : null,
        cpuMs,
      }
    },
    stop() {
      clearTimeout(timer)
      stopWatching()
    },
  }
}

function getCrashFault(child: Child): ExtractionFault {
  return /out of memory|allocation fail/i.test(child.errorOutput()) ? 'out_of_memory' : 'crashed'
}

/** Lets one child read the file. Throws if the file cannot be opened or the signal aborts. */
export async function runChild(request: RunRequest, limits: ChildLimits): Promise<Run> {
  const child = startChild({ ...request, isLowPriority: request.lane === 'slow' }, limits)
  const watch = watchChild(child, limits, request.onProgress ?? (() => undefined))
  function onAbort(): void {
    watch.kill(null)
  }
  request.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const exited = waitForExit(child)
    if (child.process.stdin) {
      // Stop reading a stalled file when the child exits.
      await Promise.race([writeInput(request.open, child.process.stdin), exited]).catch(
        async (error: unknown) => {
          watch.kill(null)
          await exited
          throw error
        },
      )
    }
    await exited
    request.signal.throwIfAborted()
    return watch.getRun()
  } finally {
    watch.stop()
    request.signal.removeEventListener('abort', onAbort)
  }
}
