import type { Deps } from '../server/src/deps.ts'
import { readEnv } from '../server/src/env.ts'
import { openDeps } from '../server/src/start.ts'

/** Opens a data folder that no server is using, and runs a task with the dependencies that features receive. */
export async function withDeps<R>(
  folder: string,
  work: (deps: Deps) => Promise<R>,
  env: Record<string, string> = {},
): Promise<R> {
  const { deps, close } = await openDeps(readEnv({ DATA_DIR: folder, LOG_LEVEL: 'error', ...env }))
  try {
    return await work(deps)
  } finally {
    await close()
  }
}
