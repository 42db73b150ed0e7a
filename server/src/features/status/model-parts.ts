import { getEmbeddingConnection } from '../../connections/effective.ts'
import type { Deps } from '../../deps.ts'
import {
  hasAnswered,
  type ModelFailure,
  readLastEmbedderFailure,
  readLastRerankerFailure,
} from '../assistants/model-events.ts'
import { explainFailure, getServerAddress, isLasting, readModelHealth } from '../assistants/model-health.ts'
import { getAssistantStatus } from '../assistants/models.ts'
import { readEarlierModel, readVectorStatus, type VectorStatus } from '../documents/indexing/index-status.ts'
import {
  countFact,
  createFailureFacts,
  formatCount,
  type PartReading,
  textFact,
  timeFact,
  unreadable,
} from './facts.ts'

function createModelFailureFacts(failure: ModelFailure | null) {
  return createFailureFacts(
    failure && { at: failure.at, reason: `${failure.model}: ${failure.detail}` },
    'Technical details',
  )
}

/** Of a service that is not called for a while. */
function createPauseFacts(pausedUntil: number | null) {
  return pausedUntil === null ? [] : [timeFact('Next attempt', pausedUntil)]
}

interface Failing {
  words: string
  failedAt?: string
}

function describeFailing(failure: ModelFailure | null, address: string): Failing {
  return failure === null
    ? { words: `The server at ${address} did not answer several times in a row.` }
    : { words: explainFailure(failure, address), failedAt: new Date(failure.at).toISOString() }
}

export async function readModel(deps: Deps): Promise<PartReading> {
  const { state, address, lastFailure } = await readModelHealth(deps)
  const { source } = deps.connections.current.model
  if (state === 'off')
    return {
      state: source === 'unreadable' ? 'failing' : 'off',
      words: `${source === 'unreadable' ? unreadable : 'No model is connected.'} The built-in assistant quotes passages instead.`,
      facts: createModelFailureFacts(lastFailure),
    }
  const { models } = await getAssistantStatus(deps)
  const facts = [
    textFact('Address', address),
    ...createModelFailureFacts(lastFailure),
    ...models.map(({ label, answeredBy }) => ({
      ...textFact(label, answeredBy ?? label),
      group: 'The model that answers for each choice',
    })),
  ]
  if (state === 'failing') {
    const { words, ...failing } = describeFailing(lastFailure, address)
    return {
      state,
      words: `${words} Replies that need a model cannot be written until it answers again.`,
      ...failing,
      facts,
    }
  }
  return state === 'working'
    ? { state: 'ok', words: 'A model is connected.', facts }
    : { state, words: 'A model is connected, but has not answered yet.', facts }
}

/** While documents are embedded again after a change of the model; null otherwise. */
function describeChange({ documents, withoutVectors, earlier }: VectorStatus, model: string): string | null {
  if (earlier === null) return null
  const done = (documents - withoutVectors).toLocaleString('en')
  return `Documents are being embedded for ${model}: ${done} of ${documents.toLocaleString('en')} done. Until then, ${describeSearchBy(earlier)}.`
}

function describeSearchBy(earlier: VectorStatus['earlier']): string {
  const model = earlier?.model ?? null
  return model === null ? 'passages are found by keywords only' : `${model} is used for search`
}

/** How passages are found while the embedding server fails. */
export async function describeSearchMeanwhile(deps: Deps): Promise<string> {
  return `Until it answers again, ${describeSearchBy(await readEarlierModel(deps))}.`
}

/** What follows from a failure, and what happens next: a job tries again, and so does the next success. */
function describeMissingVectors(withoutVectors: number): string {
  if (withoutVectors === 0) return `Until it answers again, ${describeSearchBy(null)}.`
  return `${formatCount(withoutVectors, 'document', 'documents')} can be found by keywords only. Lyceum tries again at least every hour and, once the server answers, adds the vectors by itself.`
}

function getEmbeddingsAddress({ connections, env }: Deps): string {
  return getServerAddress(getEmbeddingConnection(connections.current, env)?.baseUrl)
}

/** How the server for embeddings is. Unlike `readEmbeddings`, asks no index. Null if it works, or is not set up. */
export async function findEmbeddingsFailure(deps: Deps): Promise<Failing | null> {
  const { embedder } = deps.assistant
  if (!embedder) return null
  const failure = await readLastEmbedderFailure(deps)
  return embedder.pausedUntil !== null || isLasting(deps, failure)
    ? describeFailing(failure, getEmbeddingsAddress(deps))
    : null
}

export async function readEmbeddings(deps: Deps): Promise<PartReading> {
  const { embedder } = deps.assistant
  if (!embedder) {
    const isUnreadable = deps.connections.current.embeddings.source === 'unreadable'
    return {
      state: isUnreadable ? 'failing' : 'off',
      words: `${isUnreadable ? unreadable : 'No embedding model is configured.'} Passages are found by keywords only.`,
      facts: [],
    }
  }
  const status = await readVectorStatus(deps)
  const { withoutVectors } = status
  const lastFailure = await readLastEmbedderFailure(deps)
  const details: Pick<PartReading, 'facts' | 'remedy'> = {
    facts: [
      textFact('Address', getEmbeddingsAddress(deps)),
      textFact('Model', embedder.model),
      countFact('Documents without vectors', withoutVectors),
      ...createPauseFacts(embedder.pausedUntil),
      ...createModelFailureFacts(lastFailure),
    ],
    ...(withoutVectors > 0 && { remedy: 'see-documents-without-vectors' }),
  }
  const change = describeChange(status, embedder.model)
  // While vectors are missing, a failure is not over until the server has answered.
  const isUnsolved = withoutVectors > 0 && lastFailure !== null && lastFailure.isOver !== true
  const failing = isUnsolved
    ? describeFailing(lastFailure, getEmbeddingsAddress(deps))
    : await findEmbeddingsFailure(deps)
  if (failing !== null)
    return {
      ...failing,
      state: 'failing',
      words: `${failing.words} ${change ?? describeMissingVectors(withoutVectors)}`,
      ...details,
    }
  if (change !== null) return { state: 'attention', words: change, ...details }
  if (withoutVectors > 0)
    return {
      state: 'attention',
      words: `${formatCount(withoutVectors, 'document', 'documents')} can be found by keywords only for now. Vectors are being added.`,
      ...details,
    }
  // Earlier versions did not store that it had answered.
  if (status.documents === 0 && !(await hasAnswered(deps, 'embeddings')))
    return {
      state: 'untested',
      words: 'An embedding model is set up, but has not answered yet.',
      ...details,
    }
  return { state: 'ok', words: 'All documents can be found by meaning.', ...details }
}

export async function readReranking(deps: Deps): Promise<PartReading> {
  const { source, value } = deps.connections.current.reranking
  const { reranker } = deps.assistant
  if (!reranker)
    return {
      state: source === 'unreadable' ? 'failing' : 'off',
      words: `${source === 'unreadable' ? unreadable : 'No reranker is configured.'} Results keep their search order.`,
      facts: [],
    }
  const address = getServerAddress(value?.url)
  const lastFailure = await readLastRerankerFailure(deps)
  const facts = [
    textFact('Address', address),
    textFact('Model', value?.model || null),
    ...createPauseFacts(reranker.pausedUntil),
    ...createModelFailureFacts(lastFailure),
  ]
  if (reranker.pausedUntil === null && !isLasting(deps, lastFailure))
    return (await hasAnswered(deps, 'reranking'))
      ? { state: 'ok', words: 'A reranker puts the best passages first.', facts }
      : { state: 'untested', words: 'A reranker is set up, but has not answered yet.', facts }
  const { words, ...failing } = describeFailing(lastFailure, address)
  return {
    state: 'failing',
    words: `${words} Results keep their search order until it answers again.`,
    ...failing,
    facts,
  }
}
