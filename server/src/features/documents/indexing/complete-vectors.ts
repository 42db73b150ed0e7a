import * as z from 'zod'
import { defineJob, type JobContext } from '#jobs/define-job.ts'
import { isOutage } from '#jobs/outage.ts'
import type { Embedder } from '#providers/assistant/port.ts'
import type { Deps } from '../../../deps.ts'
import { embedPassages } from './embeddings.ts'
import { keywordsOnlyFinal, keywordsOnlyForNow } from './index-reasons.ts'
import { type Build, findActiveBuild, listPassages, readPassage, setIndexReason } from './passage-store.ts'

const passagesPerBatch = 200
const [second, minute, hour] = [1000, 60_000, 3_600_000]
/** Long enough to outlast a service that is down overnight. */
const retryDelays = [5 * second, minute, 10 * minute, hour, 6 * hour, 24 * hour]

async function embedBuild(deps: Deps, embedder: Embedder, build: Build, signal: AbortSignal): Promise<void> {
  for (let from = 0; ; ) {
    signal.throwIfAborted()
    await deps.disk.requireRoom()
    // The document may have been deleted or indexed again meanwhile.
    const active = await findActiveBuild(deps.db, build)
    if (!active) return
    const rows = await listPassages(deps.db, build.generation, from, passagesPerBatch)
    const last = rows.at(-1)
    if (!last) return
    const passages = rows.map((row) => readPassage(row, active.title))
    const vectors = await embedPassages(deps, embedder, active.channel_id, passages, signal)
    await deps.passageIndex.addVectors(
      vectors.map((embedding, index) => ({ passageId: passages[index]?.id ?? '', embedding })),
    )
    deps.faults.reach('index.vectors')
    from = last.ordinal + 1
  }
}

async function runCompletion(deps: Deps, build: Build, { isLastAttempt, signal }: JobContext): Promise<void> {
  const { embedder } = deps.assistant
  if (!embedder) return
  try {
    await embedBuild(deps, embedder, build, signal)
    await setIndexReason(deps.db, build, null)
  } catch (error) {
    signal.throwIfAborted()
    if (isOutage(error)) throw error
    await setIndexReason(deps.db, build, isLastAttempt ? keywordsOnlyFinal : keywordsOnlyForNow)
    if (!isLastAttempt) throw error
    deps.log.warn({ err: error, documentId: build.documentId }, 'a document remains without vectors')
  }
}

/**
 * Adds the vectors of an active build. Its passages can be found by their words before, so that an embedding service
 * that is slow or broken does not keep a document waiting.
 */
export const completeVectors = defineJob({
  name: 'documents.complete-vectors',
  payload: z.object({ documentId: z.string(), versionId: z.string(), generation: z.string() }),
  retryDelays,
  lane: 'model',
  handler: runCompletion,
})
