import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

/**
 * Starts a thread without the server's environment variables, except for the folder in which Node caches compiled code.
 * With it a thread starts in less than half the time.
 */
export function startThread(file: URL, workerData: unknown): Worker {
  const cache = getCompileCacheDir()
  return new Worker(file, {
    workerData,
    // Node adds its version to the path by itself.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
    execArgv: ['--no-warnings'],
  })
}
