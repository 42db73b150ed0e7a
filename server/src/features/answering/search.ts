import { askModel, type ModelCall } from '#providers/assistant/model-calls.ts'
import type { ChatModel } from '#providers/assistant/port.ts'
import type { HistoryTurn } from '#providers/assistant/turns.ts'
import type { Deps } from '../../deps.ts'
import { type FoundPassage, findPassages, hasAnswerableDocuments } from '../documents/retrieval/retrieval.ts'
import { buildRewriteTurns } from './prompt.ts'
import { findEarlierQuestion, isDependent } from './question.ts'

const maxCandidates = 10
const rewriteTimeoutMs = 3000
/** A small model, regardless of the channel's own. */
const rewriteLabel = 'gpt-4o-mini'

export interface SearchInput {
  channelId: string
  userId: string
  /** Rewrites a dependent question; null if no model is configured. */
  chatModel: ChatModel | null
  /** The id of the reply that is being written. */
  messageId: string
  question: string
  history: readonly HistoryTurn[]
  signal: AbortSignal
  calls: ModelCall[]
}

export interface SearchResult {
  hasDocuments: boolean
  /** Closest first. */
  passages: FoundPassage[]
  /** The earlier question that a dependent one refers to. */
  context: string | undefined
}

/** Rewrites the question as a self-contained one. Null on failure or timeout, and the search runs without it. */
async function rewriteQuestion(chatModel: ChatModel, input: SearchInput): Promise<string | null> {
  const { question, history, signal, calls } = input
  try {
    const request = {
      label: rewriteLabel,
      turns: buildRewriteTurns(question, history),
      allowWebSearch: false,
      maxOutputTokens: 200,
      signal: AbortSignal.any([signal, AbortSignal.timeout(rewriteTimeoutMs)]),
    } as const
    let text = ''
    for await (const piece of askModel(chatModel, request, 'rewrite', calls)) text += piece
    const rewritten = text.replace(/\s+/g, ' ').trim().slice(0, 500)
    return rewritten === '' ? null : rewritten
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}

/** Reciprocal rank fusion of two searches. */
function fuseRankings(searches: readonly (readonly FoundPassage[])[]): FoundPassage[] {
  const ranks = new Map<string, { passage: FoundPassage; score: number }>()
  for (const passages of searches)
    for (const [at, passage] of passages.entries()) {
      const known = ranks.get(passage.passageId)
      const score = (known?.score ?? 0) + 1 / (60 + at)
      const better = known && known.passage.coverage >= passage.coverage ? known.passage : passage
      ranks.set(passage.passageId, { passage: better, score })
    }
  return [...ranks.values()].sort((a, b) => b.score - a.score).map(({ passage }) => passage)
}

/** Finds passages for a question. For a dependent one, searches with both the original and the rewritten wording. */
export async function searchPassages(deps: Deps, input: SearchInput): Promise<SearchResult> {
  const { channelId, userId, chatModel, messageId, question, history, signal } = input
  if (!(await hasAnswerableDocuments(deps, channelId)))
    return { hasDocuments: false, passages: [], context: undefined }
  const earlierQuestion = findEarlierQuestion(history)
  const isFollowUp = isDependent(question)
  const context = isFollowUp ? earlierQuestion : undefined
  const rewritten =
    chatModel && history.length > 0 && isFollowUp ? await rewriteQuestion(chatModel, input) : null
  const request = { channelId, userId, messageId, signal, limit: maxCandidates }
  const original = findPassages(deps, {
    ...request,
    question,
    ...(earlierQuestion === undefined ? {} : { earlierQuestion, isFollowUp }),
  })
  if (rewritten === null) return { hasDocuments: true, passages: await original, context }
  const searches = await Promise.all([original, findPassages(deps, { ...request, question: rewritten })])
  return { hasDocuments: true, passages: fuseRankings(searches).slice(0, maxCandidates), context }
}
