import type { Worker } from 'node:worker_threads'
import { startThread } from '#lib/start-thread.ts'
import type { CallMessage, CallName, WorkerCalls, WorkerMessage } from './worker-protocol.ts'

/** Rejects pending calls when the worker dies. The next call restarts it. */
export class IndexWorkerLost extends Error {
  constructor(options?: ErrorOptions) {
    super('the search index stopped unexpectedly and restarts with the next call', options)
  }
}

interface PendingCall {
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface RunningWorker {
  worker: Worker
  isNew: boolean
}

/** Runs the index in a worker thread, which is started on demand and restarted after it dies. */
export class IndexWorker {
  readonly #path: string
  readonly #onRebuilt: () => void
  readonly #waiting = new Map<number, PendingCall>()
  #running: Promise<RunningWorker> | null = null
  #lastCall = 0
  #starts = 0
  #isClosed = false

  constructor(path: string, onRebuilt: () => void) {
    this.#path = path
    this.#onRebuilt = onRebuilt
  }

  /** Resolves when the file is open, with true if the index is empty. */
  async start(): Promise<boolean> {
    return (await this.#worker()).isNew
  }

  async call<N extends CallName>(
    name: N,
    ...args: Parameters<WorkerCalls[N]>
  ): Promise<ReturnType<WorkerCalls[N]>> {
    const { worker } = await this.#worker()
    const call = ++this.#lastCall
    return await new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve: (value) => resolve(value as ReturnType<WorkerCalls[N]>), reject })
      worker.postMessage({ call, name, args } satisfies CallMessage)
    })
  }

  /** Pending calls are still answered. */
  async close(): Promise<void> {
    const running = await this.#running?.catch(() => null)
    if (running && !this.#isClosed) {
      const exited = new Promise((resolve) => running.worker.once('exit', resolve))
      const closed = this.call('close').catch(() => undefined)
      this.#isClosed = true
      await Promise.all([closed, exited])
    }
    this.#isClosed = true
  }

  #worker(): Promise<RunningWorker> {
    if (this.#isClosed) return Promise.reject(new Error('the search index is closed'))
    this.#running ??= this.#spawn()
    return this.#running
  }

  #spawn(): Promise<RunningWorker> {
    const isFirst = this.#starts++ === 0
    const worker = startThread(new URL('./worker.ts', import.meta.url), { path: this.#path })
    return new Promise((resolve, reject) => {
      let cause: unknown
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'ready') {
          if (message.isNew && !isFirst) this.#onRebuilt()
          resolve({ worker, isNew: message.isNew })
        } else this.#receive(message)
      })
      worker.on('error', (error) => {
        cause = error
      })
      worker.on('exit', () => {
        this.#running = null
        const lost = new IndexWorkerLost({ cause })
        reject(cause ?? lost)
        for (const { reject: refuse } of this.#waiting.values()) refuse(lost)
        this.#waiting.clear()
      })
    })
  }

  #receive(message: Exclude<WorkerMessage, { type: 'ready' }>): void {
    if (message.type === 'rebuilt') {
      this.#onRebuilt()
      return
    }
    const waiting = this.#waiting.get(message.call)
    this.#waiting.delete(message.call)
    if (message.type === 'answer') waiting?.resolve(message.value)
    else waiting?.reject(message.error)
  }
}
