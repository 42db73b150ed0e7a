import * as z from 'zod'
import { defaultRetryDelays, defineJob, type JobContext } from '#jobs/define-job.ts'
import { isOutage } from '#jobs/outage.ts'
import type { Deps } from '../../../deps.ts'
import { embedBuild } from './embed-build.ts'
import { reportDimensions } from './embed-documents.ts'
import { getTargetSpace, readSpaces } from './embedding-spaces.ts'
import { DimensionsChanged } from './embeddings.ts'
import { keywordsOnlyForNow } from './index-reasons.ts'
import { type Build, setIndexReason } from './passage-store.ts'

async function runCompletion(deps: Deps, build: Build, { isLastAttempt, signal }: JobContext): Promise<void> {
  const space = getTargetSpace(deps, await readSpaces(deps))
  if (!space) return
  try {
    await embedBuild(deps, space, build, signal)
    await setIndexReason(deps.db, build, null)
  } catch (error) {
    signal.throwIfAborted()
    if (isOutage(error)) throw error
    if (error instanceof DimensionsChanged) await reportDimensions(deps, space, error.length)
    await setIndexReason(deps.db, build, keywordsOnlyForNow)
    if (!isLastAttempt) throw error
    deps.log.warn({ err: error, documentId: build.documentId }, 'a document has no vectors for now')
  }
}

/**
 * Adds the vectors of an active build. Its passages can be found by their words before, so that an embedding service
 * that is slow or broken does not keep a document waiting. After the last attempt, `embedDocuments` tries again.
 */
export const completeVectors = defineJob({
  name: 'documents.complete-vectors',
  payload: z.object({ documentId: z.string(), versionId: z.string(), generation: z.string() }),
  retryDelays: defaultRetryDelays,
  lane: 'model',
  handler: runCompletion,
})
