import type { Deps } from '../server/src/deps.ts'
import { readEnv } from '../server/src/env.ts'
import { openDeps } from '../server/src/start.ts'

/** Runs a task with the dependencies of a feature on a data folder that no server uses. */
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
