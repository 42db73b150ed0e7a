import { Worker } from 'node:worker_threads'
import type { AnswerMessage, CallMessage, CallName, WorkerCalls } from './worker-protocol.ts'

/** Told to whoever waits when the thread has died; asking again starts it anew. */
class SearchThreadLost extends Error {
  constructor(options?: ErrorOptions) {
    super('The search in messages stopped unexpectedly; it starts again with the next call', options)
  }
}

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type Called<N extends CallName> = Awaited<ReturnType<WorkerCalls[N]>>

interface Running {
  worker: Worker
  waiting: Map<number, Waiting>
}

/** The thread behind the index: started when needed, let go when it has been idle for a while. */
export class SearchThread {
  readonly #paths: { path: string; recordsPath: string }
  #running: Running | null = null
  #lastCall = 0

  constructor(paths: { path: string; recordsPath: string }) {
    this.#paths = paths
  }

  get isIdle(): boolean {
    return this.#running !== null && this.#running.waiting.size === 0
  }

  call<N extends CallName>(name: N, ...args: Parameters<WorkerCalls[N]>): Promise<Called<N>> {
    this.#running ??= this.#start()
    const { worker, waiting } = this.#running
    const call = ++this.#lastCall
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve: (value) => resolve(value as Called<N>), reject })
      worker.postMessage({ call, name, args } satisfies CallMessage)
    })
  }

  /** What was asked before is still answered. */
  async stop(): Promise<void> {
    const running = this.#running
    if (!running) return
    this.#running = null
    const exited = new Promise((resolve) => running.worker.once('exit', resolve))
    running.worker.postMessage('close')
    await exited
  }

  #start(): Running {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#paths,
      env: {},
      execArgv: ['--no-warnings'],
    })
    const waiting: Running['waiting'] = new Map()
    let cause: unknown
    worker.on('message', (message: AnswerMessage) => {
      const asked = waiting.get(message.call)
      waiting.delete(message.call)
      if ('error' in message) asked?.reject(message.error)
      else asked?.resolve(message.value)
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#running?.worker === worker) this.#running = null
      for (const { reject } of waiting.values()) reject(new SearchThreadLost({ cause }))
      waiting.clear()
    })
    return { worker, waiting }
  }
}
