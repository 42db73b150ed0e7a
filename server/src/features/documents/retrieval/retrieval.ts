import type { DocumentKind } from '@lyceum/contract/documents'
import type { PassageHit } from '#providers/passage-index/port.ts'
import type { Deps } from '../../../deps.ts'
import { insertEmbeddingUse } from '../indexing/embedding-store.ts'
import { answeringGenerations, answersAnything, findAnswering } from '../indexing/passage-store.ts'

const longestEmbedding = 5_000

export interface PassageQuestion {
  channelId: string
  question: string
  /** A second wording of less weight: what an earlier question adds to a dependent one. */
  context?: string
  limit: number
  /** Who pays for the embedding of the question. */
  userId?: string
  messageId?: string
  signal?: AbortSignal
}

export interface FoundPassage {
  passageId: string
  documentId: string
  versionId: string
  version: number
  title: string
  fileType: DocumentKind
  page: number | null
  /** Where it runs on into another page: the offset in the document's text, and that page. */
  pageTurns: readonly (readonly [charStart: number, page: number])[]
  headingPath: string[]
  charStart: number
  charEnd: number
  text: string
  tokens: number
  ordinal: number
  generation: string
  score: number
  lexical: number | null
  similarity: number | null
  cover: number
  /** Its place, from 1, among those found by words, and by meaning. */
  wordsRank: number | null
  meaningRank: number | null
}

/** Null without an embedding model, and when it does not answer in time: words alone find most. */
async function embedQuestion(deps: Deps, asked: PassageQuestion): Promise<Float32Array | null> {
  const { embedder } = deps.assistant
  if (!embedder) return null
  const limit = AbortSignal.timeout(longestEmbedding)
  const signal = asked.signal ? AbortSignal.any([asked.signal, limit]) : limit
  try {
    const { vectors, inputTokens } = await embedder.embed([asked.question], signal)
    await insertEmbeddingUse(deps.db, {
      model: embedder.model,
      inputTokens,
      channelId: asked.channelId,
      userId: asked.userId ?? null,
      messageId: asked.messageId ?? null,
      now: deps.now(),
    })
    return vectors[0] ?? null
  } catch (error) {
    asked.signal?.throwIfAborted()
    deps.log.warn({ err: error, channelId: asked.channelId }, 'a question was searched by its words only')
    return null
  }
}

/** The hits that the records confirm at this moment; text and place come from them, not from the index. */
async function confirmed(
  deps: Deps,
  channelId: string,
  hits: readonly PassageHit[],
): Promise<FoundPassage[]> {
  if (hits.length === 0) return []
  const rows = await findAnswering(
    deps.db,
    channelId,
    hits.map(({ passageId }) => passageId),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return hits.flatMap((hit) => {
    const row = byId.get(hit.passageId)
    if (row?.generation !== hit.generation) return []
    return {
      ...hit,
      documentId: row.document_id,
      versionId: row.version_id,
      version: row.version,
      title: row.title,
      fileType: row.kind,
      page: row.page,
      pageTurns: JSON.parse(row.page_turns) as [number, number][],
      headingPath: JSON.parse(row.heading_path) as string[],
      charStart: row.char_start,
      charEnd: row.char_end,
      text: row.text,
      tokens: row.tokens,
      ordinal: row.ordinal,
    }
  })
}

/**
 * The passages of a channel's approved documents that are closest to a question, best first. The records say what may
 * answer, before the search and again after it; the index is only a hint.
 */
export async function findPassages(deps: Deps, asked: PassageQuestion): Promise<FoundPassage[]> {
  const { channelId, question, context, limit } = asked
  if (!(await answersAnything(deps.db, channelId))) return []
  const embedding = await embedQuestion(deps, asked)
  async function search() {
    const generations = await answeringGenerations(deps.db, channelId)
    if (generations.length === 0) return { hits: [], found: [] }
    const hits = await deps.passageIndex.search({
      channelId,
      generations,
      text: question,
      ...(context === undefined ? {} : { context }),
      embedding,
      limit,
    })
    return { hits, found: await confirmed(deps, channelId, hits) }
  }
  const first = await search()
  // A build was switched during the search: its passages are gone, and the new ones were not looked at yet.
  return first.found.length < first.hits.length ? (await search()).found : first.found
}

/** Whether a question in this channel can be answered from documents at all. */
export function hasAnswerableDocuments(deps: Deps, channelId: string): Promise<boolean> {
  return answersAnything(deps.db, channelId)
}
