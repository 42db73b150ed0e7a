import * as z from 'zod'
import { defaultRetryDelays, defineJob, type JobContext } from '#jobs/define-job.ts'
import { isOutage } from '#jobs/outage.ts'
import { ExtractionError, type ExtractionLane, TooSlowError } from '#providers/text-extraction/port.ts'
import type { Deps } from '../../../deps.ts'
import { emitDocumentEvent } from '../../webhooks/emit.ts'
import { findText, markReadyIfBuilt, setIndexState } from '../store.ts'
import { SupersededError } from './abort-when-superseded.ts'
import { type BuildContext, type BuiltPassages, buildPassages, extractText } from './build-passages.ts'
import { completeVectors } from './complete-vectors.ts'
import { extractionMessages, isRetryable, unexpectedMessage } from './index-reasons.ts'
import {
  activateBuild,
  type Build,
  countPassages,
  deleteBuild,
  deleteOtherPassages,
  deletePassages,
  findBuildSource,
  lockBuild,
} from './passage-store.ts'

/** Removes the passages of a build that will not become active. */
async function discardBuild(deps: Deps, { documentId, generation }: Build): Promise<void> {
  const isDeleted = await deps.db.transaction().execute((tx) => deleteBuild(tx, documentId, generation))
  if (isDeleted) await deps.passageIndex.drop([generation])
}

interface BuildStart {
  /** The generation that stays active until this build is complete. */
  activeGeneration: string | null
  /** An earlier run of this build was interrupted after it had read the file. */
  wasRead: boolean
}

/** Removes the leftovers of an earlier run. Returns null if the build is already active. */
async function startBuild({ deps, build }: BuildContext, attempt: number): Promise<BuildStart | null> {
  const start = await deps.db.transaction().execute(async (tx) => {
    const document = await lockBuild(tx, build)
    if (!document) throw new SupersededError()
    if (document.generation === build.generation) return null
    const leftoverPassages = await deletePassages(tx, build.generation)
    await setIndexState(tx, build.versionId, {
      index_state: 'extracting',
      index_percent: 0,
      index_attempts: attempt,
      index_reason: null,
    })
    return { activeGeneration: document.generation, wasRead: leftoverPassages > 0 }
  })
  if (start) await deps.passageIndex.drop([build.generation])
  return start
}

/** Activates the new build and deactivates the previous one in a single transaction. */
async function switchToBuild(
  { deps, build }: BuildContext,
  activeGeneration: string | null,
  { count, lacksVectors }: BuiltPassages,
): Promise<void> {
  const replaced = await deps.db.transaction().execute(async (tx) => {
    const document = await lockBuild(tx, build)
    if (!document || document.generation !== activeGeneration) throw new SupersededError()
    if ((await countPassages(tx, build.generation)) !== count)
      throw new Error('passages were lost during indexing')
    await activateBuild(tx, build, deps.now())
    await setIndexState(tx, build.versionId, {
      index_state: 'ready',
      index_percent: 100,
      index_reason: null,
    })
    if (lacksVectors) await deps.jobs.add(tx, completeVectors, build)
    return deleteOtherPassages(tx, build.documentId, build.generation)
  })
  deps.faults.reach('index.switched')
  // The database already excludes the earlier build. If this fails, a later clean-up removes its passages.
  await deps.passageIndex
    .drop(replaced)
    .catch((error: unknown) =>
      deps.log.error(
        { err: error, documentId: build.documentId },
        'could not remove passages from the index',
      ),
    )
}

async function runBuild(context: BuildContext, attempt: number): Promise<void> {
  const start = await startBuild(context, attempt)
  if (!start) return
  const stored = start.wasRead ? await findText(context.deps.db, context.build.versionId) : null
  const extracted = stored ?? (await extractText(context))
  await switchToBuild(context, start.activeGeneration, await buildPassages(context, extracted))
}

/** Lets the build start over where it holds up no other document. */
async function queueSlowBuild(deps: Deps, build: Build): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await setIndexState(tx, build.versionId, {
      index_state: 'waiting',
      index_percent: 0,
      index_reason: null,
    })
    await deps.jobs.add(tx, indexSlowDocument, build)
  })
}

/** Records the failure. Returns true if the caller should rethrow it, so that the queue retries or reports the job. */
async function recordFailure(
  { deps, build, source }: BuildContext,
  error: unknown,
  isLastAttempt: boolean,
): Promise<boolean> {
  const isPermanent = error instanceof ExtractionError && !isRetryable(error.fault)
  if (isOutage(error) || (!isPermanent && !isLastAttempt)) {
    await setIndexState(deps.db, build.versionId, {
      index_state: 'waiting',
      index_percent: 0,
      index_reason: null,
    })
    return true
  }
  await discardBuild(deps, build)
  await deps.db.transaction().execute(async (tx) => {
    await setIndexState(tx, build.versionId, {
      index_state: 'failed',
      index_percent: 0,
      index_reason: error instanceof ExtractionError ? extractionMessages[error.fault] : unexpectedMessage,
    })
    await emitDocumentEvent(deps, tx, 'document.index-failed', { id: build.documentId, ...source })
  })
  return !(error instanceof ExtractionError)
}

/**
 * Builds one generation of a document's passages and switches to it. The run may be interrupted at any point
 * and repeated: a build writes only to its own generation, starts from scratch each time, and becomes active
 * only when it is complete.
 */
async function indexBuild(
  deps: Deps,
  build: Build,
  lane: ExtractionLane,
  { attempt, isLastAttempt, signal }: JobContext,
): Promise<void> {
  const source = await findBuildSource(deps.db, build)
  if (!source) {
    await discardBuild(deps, build)
    return
  }
  const context: BuildContext = { deps, build, source, lane, signal }
  try {
    await runBuild(context, attempt)
  } catch (error) {
    // An aborted run must not write the state: the next run of the job does.
    signal.throwIfAborted()
    if (error instanceof SupersededError) {
      await discardBuild(deps, build)
      await markReadyIfBuilt(deps.db, build.documentId, build.versionId)
      return
    }
    if (error instanceof TooSlowError) {
      await queueSlowBuild(deps, build)
      return
    }
    if (await recordFailure(context, error, isLastAttempt)) throw error
  }
}

const payload = z.object({ documentId: z.string(), versionId: z.string(), generation: z.string() })

export const indexDocument = defineJob({
  name: 'documents.index',
  payload,
  retryDelays: defaultRetryDelays,
  lane: 'long',
  handler: (deps: Deps, build, context) => indexBuild(deps, build, 'quick', context),
})

/** Indexes a document that the job above gave up on, because reading it took too long. */
export const indexSlowDocument = defineJob({
  name: 'documents.index-slow',
  payload,
  retryDelays: defaultRetryDelays,
  lane: 'slow',
  handler: (deps: Deps, build, context) => indexBuild(deps, build, 'slow', context),
})
