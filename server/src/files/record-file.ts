import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { StorageUnavailable } from '#providers/files/port.ts'
import type { Deps } from '../deps.ts'
import { findUsedFiles } from './store.ts'

/** If the database or the storage cannot be reached, the file stays: the caller reports the outcome of the request. */
async function removeUnlessUsed(deps: Deps, fileKey: string): Promise<void> {
  const used = await findUsedFiles(deps.db, [fileKey]).catch(() => null)
  if (used?.has(fileKey) !== false) return
  await deps.files.remove(fileKey).catch((error: unknown) => {
    if (!(error instanceof StorageUnavailable)) throw error
  })
}

/**
 * Records a file that is stored, and deletes it if nothing refers to it afterwards. If the database is lost meanwhile,
 * the file stays, because PostgreSQL may still execute the COMMIT. The orphan clean-up deletes what stayed unused.
 */
export async function recordFile<R>(deps: Deps, fileKey: string, record: () => Promise<R>): Promise<R> {
  let canStillCommit = false
  try {
    return await record()
  } catch (error) {
    canStillCommit = isDatabaseUnavailable(error)
    throw error
  } finally {
    if (!canStillCommit) await removeUnlessUsed(deps, fileKey)
  }
}
