import type { DocumentKind } from '@lyceum/contract/documents'
import { type PassageHit, type QuestionVector, SearchUnavailable } from '#providers/passage-index/port.ts'
import type { Deps } from '../../../deps.ts'
import { applyTrial, type DocumentTrial } from '../indexing/document-trial.ts'
import { reportDimensions } from '../indexing/embed-documents.ts'
import { readSpaces } from '../indexing/embedding-spaces.ts'
import { insertEmbeddingUsage } from '../indexing/embedding-store.ts'
import {
  findActiveGenerationIds,
  findActivePassages,
  findActivePassagesAt,
  hasActiveGeneration,
} from '../indexing/passage-store.ts'

const embeddingTimeoutMs = 5_000
const rerankTimeoutMs = 1_500
/** How many of the best passages are ranked again. */
const rerankedPassages = 30

export interface PassageQuestion {
  channelId: string
  question: string
  /** The previous question of the conversation. It has less weight in the search. */
  earlierQuestion?: string
  /** Whether the question may not be understood without the earlier one, which a reranker then gets, too. */
  isFollowUp?: boolean
  limit: number
  /** The user whose usage includes the embedding of the question. */
  userId?: string
  messageId?: string
  signal?: AbortSignal
  /** Searches as if one document had been changed. */
  trial?: DocumentTrial
}

/** A passage that may be used, with its place. */
export interface LocatedPassage {
  passageId: string
  documentId: string
  versionId: string
  version: number
  title: string
  fileType: DocumentKind
  page: number | null
  /** Page breaks inside the passage: the offset in the document's text and the page that begins there. */
  pageBreaks: readonly (readonly [charStart: number, page: number])[]
  headingPath: string[]
  charStart: number
  charEnd: number
  text: string
  tokens: number
  ordinal: number
  generation: string
}

export interface FoundPassage extends LocatedPassage {
  score: number
  lexical: number | null
  similarity: number | null
  coverage: number
  match: number
  /** Rank from 1 among the passages found by keywords or by embedding; null if not among them. */
  wordsRank: number | null
  meaningRank: number | null
}

/** Returns null if there is no embedding model, or it fails, times out or is paused. Keywords alone find most passages. */
async function embedQuestion(deps: Deps, request: PassageQuestion): Promise<QuestionVector | null> {
  const { current } = await readSpaces(deps)
  const embedder = current?.embedder
  if (!embedder || embedder.pausedUntil !== null) return null
  const timeout = AbortSignal.timeout(embeddingTimeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
  try {
    const { vectors, inputTokens } = await embedder.embed([request.question], 'question', signal)
    await insertEmbeddingUsage(deps.db, {
      model: embedder.model,
      inputTokens,
      channelId: request.channelId,
      userId: request.userId ?? null,
      messageId: request.messageId ?? null,
      now: deps.now(),
    })
    const [vector] = vectors
    if (!vector) return null
    if (vector.length !== current.dimensions)
      await reportDimensions(deps, { ...current, embedder }, vector.length)
    return { space: current.key, vector }
  } catch (error) {
    request.signal?.throwIfAborted()
    deps.log.warn(
      { err: error, channelId: request.channelId },
      'could not embed a question; searching by keywords only',
    )
    return null
  }
}

type LocatedRow = Awaited<ReturnType<typeof findActivePassages>>[number]

function toLocatedPassage(row: LocatedRow): LocatedPassage {
  return {
    passageId: row.id,
    documentId: row.document_id,
    versionId: row.version_id,
    version: row.version,
    title: row.title,
    fileType: row.kind,
    page: row.page,
    pageBreaks: JSON.parse(row.page_turns) as [number, number][],
    headingPath: JSON.parse(row.heading_path) as string[],
    charStart: row.char_start,
    charEnd: row.char_end,
    text: row.text,
    tokens: row.tokens,
    ordinal: row.ordinal,
    generation: row.generation,
  }
}

/** Keeps only hits that are active in the database. Text and location come from there, not from the index. */
async function confirmHits(
  deps: Deps,
  { channelId, trial }: PassageQuestion,
  hits: readonly PassageHit[],
): Promise<FoundPassage[]> {
  if (hits.length === 0) return []
  const rows = await findActivePassages(
    deps.db,
    channelId,
    hits.map(({ passageId }) => passageId),
  )
  const byId = new Map([...rows.map((row) => [row.id, row] as const), ...(trial?.passages ?? [])])
  return hits.flatMap((hit) => {
    const row = byId.get(hit.passageId)
    if (row?.generation !== hit.generation) return []
    return { ...hit, ...toLocatedPassage(row) }
  })
}

function toRerankedText({ title, headingPath, text }: FoundPassage): string {
  return `${[title, ...headingPath].join(' > ')}\n${text}`
}

/** Puts the passages first that answer the question. They keep their order if the reranker fails or is too slow. */
async function rerank(
  deps: Deps,
  { question, earlierQuestion, isFollowUp, channelId, signal: callerSignal }: PassageQuestion,
  passages: FoundPassage[],
): Promise<FoundPassage[]> {
  const { reranker } = deps.assistant
  if (!reranker || reranker.pausedUntil !== null || passages.length < 2) return passages
  const timeout = AbortSignal.timeout(rerankTimeoutMs)
  const signal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout
  const best = passages.slice(0, rerankedPassages)
  try {
    const asked = isFollowUp && earlierQuestion ? `${earlierQuestion}\n${question}` : question
    const scores = await reranker.rerank(asked, best.map(toRerankedText), signal)
    const ranked = best
      .map((passage, at) => ({ passage, score: scores[at] ?? 0 }))
      .sort((one, other) => other.score - one.score)
    return [...ranked.map(({ passage }) => passage), ...passages.slice(rerankedPassages)]
  } catch (error) {
    callerSignal?.throwIfAborted()
    deps.log.warn({ err: error, channelId }, 'could not rank passages again')
    return passages
  }
}

/**
 * Finds the passages of a channel's approved documents that are closest to a question, best first. The
 * database decides which passages may be used, before the search and again after it; the index only suggests
 * candidates. Throws `SearchUnavailable` if the index lacks some of the documents, because an answer from the others, or
 * that there is none, could be wrong.
 */
export async function findPassages(deps: Deps, request: PassageQuestion): Promise<FoundPassage[]> {
  const { channelId, question, earlierQuestion, limit, trial } = request
  if (trial === undefined && !(await hasActiveGeneration(deps.db, channelId))) return []
  const embedding = await embedQuestion(deps, request)
  const searchLimit = deps.assistant.reranker ? Math.max(limit, rerankedPassages) : limit
  async function search() {
    const active = await findActiveGenerationIds(deps.db, channelId)
    const generations = trial ? applyTrial(active, trial) : active
    if (generations.length === 0) return { isComplete: true, found: [], missing: 0 }
    const { hits, searched } = await deps.passageIndex.search({
      channelId,
      generations,
      text: question,
      ...(earlierQuestion === undefined ? {} : { context: earlierQuestion }),
      embedding,
      limit: searchLimit,
    })
    const found = await confirmHits(deps, request, hits)
    const missing = generations.length - searched
    return { isComplete: missing === 0 && found.length === hits.length, found, missing }
  }
  const first = await search()
  async function choose(found: FoundPassage[]): Promise<FoundPassage[]> {
    return (await rerank(deps, request, found)).slice(0, limit)
  }
  if (first.isComplete) return choose(first.found)
  // A document may have switched to a new build during the search: search again to include the new passages.
  const { found, missing } = await search()
  if (missing > 0)
    throw new SearchUnavailable(`${missing} of the channel’s documents are missing from the search index.`)
  return choose(found)
}

/** Returns whether the channel has any indexed document to answer from. */
export function hasAnswerableDocuments(deps: Deps, channelId: string): Promise<boolean> {
  return hasActiveGeneration(deps.db, channelId)
}

/** Finds the passages before and after each of these, as far as they are active, too. */
export async function findNeighbors(
  deps: Deps,
  channelId: string,
  passages: readonly LocatedPassage[],
): Promise<LocatedPassage[]> {
  if (passages.length === 0) return []
  const places = passages.flatMap(({ generation, ordinal }) =>
    [ordinal - 1, ordinal + 1].map((neighbor) => ({ generation, ordinal: neighbor })),
  )
  return (await findActivePassagesAt(deps.db, channelId, places)).map(toLocatedPassage)
}
