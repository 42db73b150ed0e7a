import type { LanguageModel } from '@lyceum/contract/channels'
import { errors } from '@lyceum/contract/errors'
import { uuidv7 } from 'uuidv7'
import {
  explainMissingModels,
  explainModelFailure,
  explainServerFailure,
} from '#providers/assistant/explain-failure.ts'
import { askModel, type ModelCall } from '#providers/assistant/model-calls.ts'
import { type ChatModel, ModelError } from '#providers/assistant/port.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { getCurrentModel } from './model-map.ts'
import { getAssistantStatus } from './models.ts'
import { insertTestUsage } from './store.ts'
import { recordTestUsage } from './try-preset.ts'

interface ModelTestOutcome {
  ok: boolean
  /** Null when nothing was tested. */
  model: string | null
  /** What the model did; follows its name. A sentence of its own if the server could not be used. */
  outcome: string
  isServerFailure?: boolean
  /** A sentence about the server that is more likely than `outcome` if all models fail with it. */
  ifAllFail?: string
  detail?: string
}

interface ModelTestResult {
  ok: boolean
  words: string[]
  details: string[]
}

/** For example '640 ms' or '12.6 s'. */
export function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

const testTimeout = 20_000
const listFormat = new Intl.ListFormat('en')

function listModels(outcomes: readonly ModelTestOutcome[]): string {
  return listFormat.format(new Set(outcomes.flatMap(({ model }) => model ?? [])))
}

function describeGroup(outcome: string, tested: readonly ModelTestOutcome[]): string {
  const models = tested.some(({ isServerFailure }) => isServerFailure) ? '' : listModels(tested)
  return models === '' ? outcome : `${models} ${outcome}`
}

/** A sentence about the server names no models, so that its details name them. */
function listDetails(tested: readonly ModelTestOutcome[]): string[] {
  const byDetail = Map.groupBy(tested, ({ detail }) => detail)
  return [...byDetail].flatMap(([detail, failed]) => {
    if (detail === undefined) return []
    return failed.some(({ isServerFailure }) => isServerFailure) ? `${listModels(failed)}: ${detail}` : detail
  })
}

/** A server that offers none of several models is probably not the one that was meant. */
function blameServer(outcomes: readonly ModelTestOutcome[]): readonly ModelTestOutcome[] {
  const sentences = new Set(outcomes.map(({ ifAllFail }) => ifAllFail))
  const [sentence] = sentences
  if (outcomes.length < 2 || sentences.size > 1 || sentence === undefined) return outcomes
  return outcomes.map((outcome) => ({ ...outcome, outcome: sentence, isServerFailure: true }))
}

/** Describes models with the same outcome in one sentence, because one reason often affects all of them. */
export function summarizeModelTests(tests: readonly ModelTestOutcome[]): ModelTestResult {
  const outcomes = blameServer(tests)
  const byOutcome = Map.groupBy(outcomes, ({ outcome }) => outcome)
  return {
    ok: outcomes.every(({ ok }) => ok),
    words: [...byOutcome].map(([outcome, tested]) => describeGroup(outcome, tested)),
    details: listDetails(outcomes),
  }
}

type FailureDescription = Pick<ModelTestOutcome, 'outcome' | 'detail' | 'isServerFailure' | 'ifAllFail'>

function describeTestFailure(error: unknown, address: string): FailureDescription {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { outcome: `did not answer within ${testTimeout / 1000} seconds.` }
  if (!(error instanceof ModelError)) return { outcome: 'failed. See the log for the reason.' }
  const { detail } = error
  const serverFailure = explainServerFailure(error, address)
  if (serverFailure !== null) return { outcome: serverFailure, isServerFailure: true, detail }
  const explanation = explainModelFailure(error, address)
  if (explanation === null) return { outcome: `failed: ${detail}.` }
  const ifAllFail = explainMissingModels(error, address)
  return { outcome: `failed. ${explanation}`, detail, ...(ifAllFail === null ? {} : { ifAllFail }) }
}

async function testModel(
  deps: Deps,
  actor: Actor,
  { chat, label, address }: { chat: ChatModel; label: LanguageModel; address: string },
): Promise<ModelTestOutcome> {
  const { actual: model } = chat.resolve(label)
  const calls: ModelCall[] = []
  const request = {
    label,
    turns: [{ role: 'user' as const, content: 'Answer with the one word: ready' }],
    allowWebSearch: false,
    maxOutputTokens: 200,
    reasoningEffort: 'low' as const,
    signal: AbortSignal.timeout(testTimeout),
  }
  const startedAt = performance.now()
  try {
    for await (const _ of askModel(chat, request, 'rewrite', calls));
    return { ok: true, model, outcome: `answered in ${formatDuration(performance.now() - startedAt)}.` }
  } catch (error) {
    if (!(error instanceof ModelError)) deps.log.warn({ err: error, model }, 'a model test failed')
    return { ok: false, model, ...describeTestFailure(error, address) }
  } finally {
    for (const call of calls) await recordTestUsage(deps, actor, call)
  }
}

/** Sends one short question to each model that a label resolves to. The address of the server is only for texts. */
export async function testModels(deps: Deps, actor: Actor, address: string): Promise<ModelTestOutcome[]> {
  const chat = await getCurrentModel(deps)
  const { models } = await getAssistantStatus(deps)
  if (!chat) return [{ ok: false, model: null, outcome: errors['assistant.no_model'].message }]
  const labelByModel = new Map(models.map(({ label }) => [chat.resolve(label).actual, label]))
  return Promise.all(
    [...labelByModel.values()].map((label) => testModel(deps, actor, { chat, label, address })),
  )
}

export async function testEmbedder(deps: Deps, actor: Actor, address: string): Promise<ModelTestOutcome> {
  const { embedder } = deps.assistant
  if (!embedder) return { ok: false, model: null, outcome: 'No embedding model is configured.' }
  const startedAt = performance.now()
  try {
    embedder.resume()
    const signal = AbortSignal.timeout(testTimeout)
    const { vectors, inputTokens } = await embedder.embed(['Ready?'], 'question', signal)
    const duration = formatDuration(performance.now() - startedAt)
    const usage = { input: inputTokens, cached: 0, cache_write: 0, output: 0, reasoning: 0 }
    const model = { requested_model: embedder.model, actual_model: embedder.model }
    await insertTestUsage(
      deps.db,
      { id: uuidv7(), user_id: actor.userId, ...model, ...usage, estimated: 0, created_at: deps.now() },
      'embed',
    )
    const size = vectors[0]?.length ?? 0
    return {
      ok: size > 0,
      model: embedder.model,
      outcome: `answered in ${duration} (${size} dimensions).`,
    }
  } catch (error) {
    if (!(error instanceof ModelError)) deps.log.warn({ err: error }, 'a model test failed')
    return { ok: false, model: embedder.model, ...describeTestFailure(error, address) }
  }
}

/** Lets the reranker choose between a passage that answers a question and one that does not. */
export async function testReranker(deps: Deps, address: string): Promise<ModelTestOutcome> {
  const { reranker } = deps.assistant
  if (!reranker) return { ok: false, model: null, outcome: 'No reranker is configured.' }
  const { name: model } = reranker
  const startedAt = performance.now()
  try {
    reranker.resume()
    const passages = ['The ferry runs from Monday to Friday.', 'The library opens at nine in the morning.']
    const signal = AbortSignal.timeout(testTimeout)
    const [other = 0, answer = 0] = await reranker.rerank('When does the library open?', passages, signal)
    const duration = formatDuration(performance.now() - startedAt)
    return answer > other
      ? { ok: true, model, outcome: `answered in ${duration}.` }
      : { ok: false, model, outcome: 'preferred a passage that does not answer the test question.' }
  } catch (error) {
    if (!(error instanceof ModelError)) deps.log.warn({ err: error }, 'a model test failed')
    return { ok: false, model, ...describeTestFailure(error, address) }
  }
}
