import type { Deps } from '../server/src/deps.ts'
import { readEnv } from '../server/src/env.ts'
import { openDeps } from '../server/src/start.ts'

/** Everything a feature is given, on a data folder that no server runs on, for the time of some work. */
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
