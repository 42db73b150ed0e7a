import * as z from 'zod'
import { forgetRemovedFiles, listRemovedFiles } from '#files/store.ts'
import { defaultRetryDelays, defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { completeVectors } from './indexing/complete-vectors.ts'
import { embedDocuments, embedDocumentsHourly } from './indexing/embed-documents.ts'
import { indexDocument, indexSlowDocument } from './indexing/index-document.ts'
import { reconcileIndex } from './indexing/reconcile-index.ts'
import { clearIdempotencyKeys } from './store.ts'

const hour = 3_600_000
const day = 24 * hour
const filesPerBatch = 200

/** Queued at every start: rebuilds missing parts of the index from the database, without calling a model. */
const completeIndex = defineJob({
  name: 'documents.complete-index',
  payload: z.object({}),
  retryDelays: defaultRetryDelays,
  lane: 'long',
  handler: async (deps: Deps, _payload, { signal }) => {
    const { added, dropped } = await reconcileIndex(deps, signal)
    if (added + dropped > 0)
      deps.log.info({ added, dropped }, 'synchronized the passage index with the database')
  },
})

/** Queues a job, so that startup never waits for it. */
export function queueIndexCompletion(deps: Deps): Promise<void> {
  return deps.db.transaction().execute((tx) => deps.jobs.add(tx, completeIndex, {}))
}

/** Deletes the files of documents and pictures that were removed before the given time. */
export async function deleteRemovedFiles(deps: Deps, before: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const keys = await listRemovedFiles(deps.db, before, filesPerBatch)
    if (keys.length === 0) return
    for (const key of keys) await deps.files.remove(key)
    await forgetRemovedFiles(deps.db, keys)
  }
}

/** Removed files stay on disk for a day, so that a running backup is complete. */
const sweepRemovedFiles = defineJob({
  name: 'documents.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  handler: async (deps: Deps, _payload, { signal }) => {
    const before = deps.now() - day
    await clearIdempotencyKeys(deps.db, before)
    await deleteRemovedFiles(deps, before, signal)
  },
})

export const documentsJobs = [
  indexDocument,
  indexSlowDocument,
  completeVectors,
  embedDocuments,
  embedDocumentsHourly,
  completeIndex,
  sweepRemovedFiles,
]
