import { splitWords } from './answers.ts'

/** The share of the question's words that the text has. */
function score(question: string, text: string): number {
  const words = new Set(splitWords(question))
  const found = new Set(splitWords(text).filter((word) => words.has(word)))
  return words.size === 0 ? 0 : found.size / words.size
}

/** `unknown field` is how servers refuse the other format: Text Embeddings Inference (TEI) with 422, others with 400. */
export type RerankReply = { status: 200; json: unknown } | { status: 400 | 422; message: string }

function sortByScore<T>(ranked: readonly T[], getScore: (one: T) => number): T[] {
  return ranked.toSorted((one, other) => getScore(other) - getScore(one))
}

/** TEI, below `/rerank`. */
export function createTeiReply(body: Record<string, unknown>): RerankReply {
  const { query, texts } = body
  if (!Array.isArray(texts))
    return { status: 422, message: 'Failed to deserialize the JSON body: missing field `texts`' }
  const ranked = texts.map((text, index) => ({ index, score: score(String(query), String(text)) }))
  return { status: 200, json: sortByScore(ranked, (one) => one.score) }
}

/** Jina, Cohere and llama.cpp, below `/v1/rerank`. */
export function createRerankReply(body: Record<string, unknown>): RerankReply {
  const { query, documents, model, top_n: limit } = body
  if (!Array.isArray(documents))
    return { status: 400, message: '"documents" must be a non-empty string array' }
  const ranked = documents.map((text, index) => ({
    index,
    relevance_score: score(String(query), String(text)),
  }))
  return {
    status: 200,
    json: {
      model,
      object: 'list',
      usage: { prompt_tokens: 1, total_tokens: 1 },
      results: sortByScore(ranked, (one) => one.relevance_score).slice(0, Number(limit ?? ranked.length)),
    },
  }
}
