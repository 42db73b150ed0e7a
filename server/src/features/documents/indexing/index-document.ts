import type { JobContext } from '#jobs/define-job.ts'
import { ModelError } from '#providers/assistant/port.ts'
import { ExtractionError } from '#providers/text-extraction/port.ts'
import type { Deps } from '../../../deps.ts'
import { setIndexState, settleIndexState } from '../store.ts'
import { type BuildContext, buildPassages, extractText, keptText, SupersededError } from './build-passages.ts'
import { faultWords, isRetryable, unexpectedWords, wordsOnly } from './index-reasons.ts'
import {
  activate,
  type Build,
  countPassages,
  deleteBuild,
  deleteOtherPassages,
  deletePassages,
  findBuildSource,
  lockBuild,
} from './passage-store.ts'

/** Removes the passages of a build that will not become active. */
async function discard(deps: Deps, { documentId, generation }: Build): Promise<void> {
  const isGone = await deps.db.transaction().execute((tx) => deleteBuild(tx, documentId, generation))
  if (isGone) await deps.passageIndex.drop([generation])
}

interface Beginning {
  /** The generation that stays active until this build is complete. */
  before: string | null
  /** An earlier run of this build was interrupted after it had read the file. */
  wasRead: boolean
}

/** Removes the leftovers of an earlier run. Returns null if the build is already active. */
async function begin({ deps, build }: BuildContext, attempt: number): Promise<Beginning | null> {
  const beginning = await deps.db.transaction().execute(async (tx) => {
    const document = await lockBuild(tx, build)
    if (!document) throw new SupersededError()
    if (document.generation === build.generation) return null
    const leftOver = await deletePassages(tx, build.generation)
    await setIndexState(tx, build.versionId, {
      index_state: 'extracting',
      index_percent: 0,
      index_attempts: attempt,
      index_reason: null,
    })
    return { before: document.generation, wasRead: leftOver > 0 }
  })
  if (beginning) await deps.passageIndex.drop([build.generation])
  return beginning
}

/** Activates the new build and deactivates the earlier one in a single transaction. */
async function switchOver(
  { deps, build }: BuildContext,
  before: string | null,
  passages: number,
  reason: string | null,
): Promise<void> {
  const replaced = await deps.db.transaction().execute(async (tx) => {
    const document = await lockBuild(tx, build)
    if (!document || document.generation !== before) throw new SupersededError()
    if ((await countPassages(tx, build.generation)) !== passages)
      throw new Error('passages were lost while they were indexed')
    await activate(tx, build, deps.now())
    await setIndexState(tx, build.versionId, {
      index_state: 'ready',
      index_percent: 100,
      index_reason: reason,
    })
    return deleteOtherPassages(tx, build.documentId, build.generation)
  })
  deps.faults.reach('index.switched')
  await deps.passageIndex.drop(replaced)
}

async function make(context: BuildContext, attempt: number, isLastAttempt: boolean): Promise<void> {
  const beginning = await begin(context, attempt)
  if (!beginning) return
  const extracted = (beginning.wasRead && (await keptText(context))) || (await extractText(context))
  const { before } = beginning
  try {
    await switchOver(context, before, await buildPassages(context, extracted, true), null)
  } catch (error) {
    if (!(error instanceof ModelError) || !isLastAttempt) throw error
    context.deps.log.warn(
      { err: error, documentId: context.build.documentId },
      'a document is indexed without embeddings',
    )
    await discard(context.deps, context.build)
    await switchOver(context, before, await buildPassages(context, extracted, false), wordsOnly)
  }
}

/** Records what happened. Returns true if the queue should get the error, to retry or report it. */
async function recordFailure(
  { deps, build }: BuildContext,
  error: unknown,
  isLastAttempt: boolean,
): Promise<boolean> {
  const isHopeless = error instanceof ExtractionError && !isRetryable(error.fault)
  if (!isHopeless && !isLastAttempt) {
    await setIndexState(deps.db, build.versionId, {
      index_state: 'waiting',
      index_percent: 0,
      index_reason: null,
    })
    return true
  }
  await discard(deps, build)
  await setIndexState(deps.db, build.versionId, {
    index_state: 'failed',
    index_percent: 0,
    index_reason: error instanceof ExtractionError ? faultWords[error.fault] : unexpectedWords,
  })
  return !(error instanceof ExtractionError)
}

/**
 * Builds one generation of a document's passages and switches to it. The run may be interrupted at any point
 * and repeated: a build writes only to its own generation, starts from scratch each time, and becomes active
 * only when it is complete.
 */
export async function indexBuild(
  deps: Deps,
  build: Build,
  { attempt, isLastAttempt, signal }: JobContext,
): Promise<void> {
  const source = await findBuildSource(deps.db, build)
  if (!source) {
    await discard(deps, build)
    return
  }
  const context: BuildContext = { deps, build, source, signal }
  try {
    await make(context, attempt, isLastAttempt)
  } catch (error) {
    // An aborted run must not write the state: the next run of the job does.
    signal.throwIfAborted()
    if (error instanceof SupersededError) {
      await discard(deps, build)
      await settleIndexState(deps.db, build.documentId, build.versionId)
      return
    }
    if (await recordFailure(context, error, isLastAttempt)) throw error
  }
}
