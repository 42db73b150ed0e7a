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

/** Takes away what there is of a build that will not answer. */
async function discard(deps: Deps, { documentId, generation }: Build): Promise<void> {
  const isGone = await deps.db.transaction().execute((tx) => deleteBuild(tx, documentId, generation))
  if (isGone) await deps.passageIndex.drop([generation])
}

interface Beginning {
  /** The build that answers until this one does. */
  before: string | null
  /** True when an earlier run of this build was cut off after it had read the file. */
  wasRead: boolean
}

/** A clean place for the build; null when it already answers. */
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

/** From here on the new build answers and the earlier one no longer does, in one step. */
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

/** Leaves a state that says what happened; whether another attempt should follow. */
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
 * Builds one generation of a document's passages and switches to it. It may be cut off anywhere and run again: a
 * build belongs to its generation alone, starts from nothing each time, and answers only once it is whole.
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
    // Whoever holds the job next writes the state; this run no longer may.
    signal.throwIfAborted()
    if (error instanceof SupersededError) {
      await discard(deps, build)
      await settleIndexState(deps.db, build.documentId, build.versionId)
      return
    }
    if (await recordFailure(context, error, isLastAttempt)) throw error
  }
}
