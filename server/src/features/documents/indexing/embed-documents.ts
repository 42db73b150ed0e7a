import * as z from 'zod'
import { defaultRetryDelays, defineJob, type JobContext } from '#jobs/define-job.ts'
import { isOutage } from '#jobs/outage.ts'
import type { Deps } from '../../../deps.ts'
import { embedBuild } from './embed-build.ts'
import {
  beginChange,
  checkDimensions,
  type EmbeddingSpace,
  finishChange,
  forgetStaleSpace,
  getTargetSpace,
  listStaleSpaces,
  readSpaces,
  recordEmbedder,
  restartChange,
} from './embedding-spaces.ts'
import { deleteEmbeddings } from './embedding-store.ts'
import { DimensionsChanged } from './embeddings.ts'
import { listActiveGenerations, listKeywordsOnlyBuilds, setIndexReason } from './passage-store.ts'

const hour = 3_600_000
const generationsPerPage = 500

/** Removes vectors of earlier models from the index and the database. */
async function removeStaleVectors(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const key of await listStaleSpaces(deps)) {
    await deps.passageIndex.dropVectors(key)
    while (await deleteEmbeddings(deps.db, key)) signal.throwIfAborted()
    await forgetStaleSpace(deps, key)
  }
}

/** Tries again for documents whose vectors could not be added when they were indexed. */
async function embedLeftovers(deps: Deps, space: EmbeddingSpace, signal: AbortSignal): Promise<void> {
  for (const build of await listKeywordsOnlyBuilds(deps.db, generationsPerPage)) {
    await embedBuild(deps, space, build, signal)
    await setIndexReason(deps.db, build, null)
  }
}

/** Returns false if the model was changed again meanwhile. */
async function embedAll(deps: Deps, space: EmbeddingSpace, signal: AbortSignal): Promise<boolean> {
  for (let after = ''; ; ) {
    const page = await listActiveGenerations(deps.db, after, generationsPerPage)
    const last = page.at(-1)
    if (!last) return true
    for (const { documentId, id: generation } of page) {
      if (getTargetSpace(deps, await readSpaces(deps))?.key !== space.key) return false
      await embedBuild(deps, space, { documentId, generation }, signal)
      deps.faults.reach('embeddings.document')
    }
    after = last.documentId
  }
}

/** The space to change to. Asks the model for one vector, because its length is part of the space. */
async function findNextSpace(deps: Deps, signal: AbortSignal): Promise<EmbeddingSpace | null> {
  const { embedder } = deps.assistant
  const { next, isChanging } = await readSpaces(deps)
  if (next || !isChanging || !embedder) return next
  const { vectors } = await embedder.embed(['Ready?'], 'passage', signal)
  await beginChange(deps, embedder, vectors[0]?.length ?? 0)
  return (await readSpaces(deps)).next
}

async function changeAndCleanUp(deps: Deps, signal: AbortSignal): Promise<void> {
  for (let next = await findNextSpace(deps, signal); next; next = await findNextSpace(deps, signal)) {
    if ((await embedAll(deps, next, signal)) && (await finishChange(deps, next)))
      deps.log.info('all documents have vectors of the new model')
    await removeStaleVectors(deps, signal)
  }
  await removeStaleVectors(deps, signal)
  const current = getTargetSpace(deps, await readSpaces(deps))
  if (!current) return
  await embedLeftovers(deps, current, signal)
  // All of them, after the first model was set up, or some, if the server was killed.
  if ((await deps.passageIndex.size(current.key)).withoutVectors > 0) await embedAll(deps, current, signal)
}

/** The next attempt embeds all documents for vectors of this length. */
async function followDimensions(deps: Deps, length: number): Promise<void> {
  const spaces = await readSpaces(deps)
  const target = getTargetSpace(deps, spaces)
  if (spaces.next) await restartChange(deps)
  else if (target) await checkDimensions(deps, target, length)
}

/** Does not fail for good, because the hourly job continues. */
async function runEmbedding(deps: Deps, { signal, isLastAttempt }: JobContext): Promise<void> {
  try {
    await changeAndCleanUp(deps, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DimensionsChanged) await followDimensions(deps, error.length)
    if (!isLastAttempt || isOutage(error)) throw error
    deps.log.warn({ err: error }, 'could not give all documents their vectors for now')
  }
}

const alone = 'embed documents'

/**
 * After a change of the embedding model, gives all documents vectors of the new one. Meanwhile those of the earlier one
 * answer. It may be interrupted at any point and repeated: vectors that are stored are not requested again.
 */
export const embedDocuments = defineJob({
  name: 'documents.embed',
  payload: z.object({}),
  retryDelays: defaultRetryDelays,
  lane: 'model',
  alone,
  handler(deps: Deps, _payload, context) {
    // This job was added after a change of the connection, or after it was seen to work, perhaps on another server.
    deps.assistant.embedder?.resume()
    return runEmbedding(deps, context)
  },
})

/** Continues what failed because the embedding service did. */
export const embedDocumentsHourly = defineJob({
  name: 'documents.embed-hourly',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  lane: 'model',
  alone,
  handler: (deps: Deps, _payload, context) => runEmbedding(deps, context),
})

/** The model returns vectors of another length than before, so that documents need new ones. */
export async function reportDimensions(deps: Deps, space: EmbeddingSpace, length: number): Promise<void> {
  if (await checkDimensions(deps, space, length)) return
  if ((await deps.jobs.countByName(embedDocuments.name)).pending > 0) return
  await deps.db.transaction().execute((tx) => deps.jobs.add(tx, embedDocuments, {}))
}

/** Called when the server has started, and when the embedding model may have changed. */
export async function followEmbedder(deps: Deps): Promise<void> {
  await recordEmbedder(deps)
  if (deps.assistant.embedder)
    await deps.db.transaction().execute((tx) => deps.jobs.add(tx, embedDocuments, {}))
}
