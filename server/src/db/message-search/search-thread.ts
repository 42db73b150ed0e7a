import type { Worker } from 'node:worker_threads'
import { startThread } from '#lib/start-thread.ts'
import type { AnswerMessage, CallMessage, CallName, WorkerCalls } from './worker-protocol.ts'

/** Rejects pending calls when the worker dies. The next call restarts it. */
class SearchThreadDied extends Error {
  constructor(options?: ErrorOptions) {
    super('The message search stopped unexpectedly. The next search restarts it.', options)
  }
}

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type CallResult<N extends CallName> = Awaited<ReturnType<WorkerCalls[N]>>

interface Running {
  worker: Worker
  waiting: Map<number, Waiting>
}

/** Starts the worker on the first call. The owner stops it when it has been idle for a while. */
export class SearchThread {
  readonly #paths: { path: string; databasePath: string }
  #running: Running | null = null
  #lastCall = 0

  constructor(paths: { path: string; databasePath: string }) {
    this.#paths = paths
  }

  get isIdle(): boolean {
    return this.#running !== null && this.#running.waiting.size === 0
  }

  call<N extends CallName>(name: N, ...args: Parameters<WorkerCalls[N]>): Promise<CallResult<N>> {
    this.#running ??= this.#start()
    const { worker, waiting } = this.#running
    const call = ++this.#lastCall
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve: (value) => resolve(value as CallResult<N>), reject })
      worker.postMessage({ call, name, args } satisfies CallMessage)
    })
  }

  /** Waits for pending calls. */
  async stop(): Promise<void> {
    const running = this.#running
    if (!running) return
    this.#running = null
    const exited = new Promise((resolve) => running.worker.once('exit', resolve))
    running.worker.postMessage('close')
    await exited
  }

  #start(): Running {
    const worker = startThread(new URL('./worker.ts', import.meta.url), this.#paths)
    const waiting: Running['waiting'] = new Map()
    let cause: unknown
    worker.on('message', (message: AnswerMessage) => {
      const call = waiting.get(message.call)
      waiting.delete(message.call)
      if ('error' in message) call?.reject(message.error)
      else call?.resolve(message.value)
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#running?.worker === worker) this.#running = null
      for (const { reject } of waiting.values()) reject(new SearchThreadDied({ cause }))
      waiting.clear()
    })
    return { worker, waiting }
  }
}
