/** One complete build of a document's passages. The documents feature decides which generations are searched. */
export interface Generation {
  id: string
  documentId: string
  channelId: string
}

export interface IndexedPassage {
  id: string
  /** Searched with the passage but not part of its text. */
  title: string
  headingPath: string[]
  text: string
}

export interface PassageVector {
  passageId: string
  embedding: Float32Array
}

/** A vector of a question. Only vectors of the same space, made by the same model, are comparable. */
export interface QuestionVector {
  space: string
  vector: Float32Array
}

export interface PassageQuery {
  channelId: string
  /** Only passages of these generations are returned. */
  generations: readonly string[]
  text: string
  /** The earlier question of a conversation. The fewer words `text` has, the more those of this one count. */
  context?: string
  embedding: QuestionVector | null
  limit: number
}

export interface PassageHit {
  passageId: string
  generation: string
  /** Reciprocal rank fusion of the rankings below. Hits are sorted by it, highest first. */
  score: number
  /** BM25, higher is better; null if it was not found by words. */
  lexical: number | null
  /** Cosine similarity, -1 to 1; null without embeddings. */
  similarity: number | null
  /**
   * Share of the query's content words in the passage, weighted by rarity, 0 to 1. If they are one or two, those of the
   * earlier question count, too.
   */
  coverage: number
  /** How well the passage matches the query's words, 0 to 1. Unlike coverage, it counts which of them stand together. */
  match: number
  /** Ranks, starting at 1, in the searches by words and by meaning; null if it was not found that way. */
  wordsRank: number | null
  meaningRank: number | null
}

export interface SearchResult {
  hits: PassageHit[]
  /** How many of the query's generations the index has. Fewer than asked for while it is incomplete. */
  searched: number
}

export interface IndexSize {
  generations: number
  passages: number
  /** Generations with passages that have no vector in the space; 0 without a space. */
  withoutVectors: number
}

/** The index cannot be reached, or cannot search right now. Nothing is known about what the documents say. */
export class SearchUnavailable extends Error {}

/**
 * Derived data, which can be deleted and rebuilt from the database without calling a model. If the index is not on this
 * machine, all methods may throw `SearchUnavailable`.
 */
export interface PassageIndex {
  /** What searches, for the status page. */
  readonly engine: string
  /**
   * Idempotent: a passage with a known id is replaced, and loses its vectors. Once this resolves, searches find the passages
   * by their words.
   */
  add(generation: Generation, passages: readonly IndexedPassage[]): Promise<void>
  /** Gives passages their vectors in a space, and keeps those in others. Unknown passages are skipped. */
  addVectors(space: string, vectors: readonly PassageVector[]): Promise<void>
  /** Removes all vectors of a space. */
  dropVectors(space: string): Promise<void>
  drop(generationIds: readonly string[]): Promise<void>
  dropChannel(channelId: string): Promise<void>
  search(query: PassageQuery): Promise<SearchResult>
  /** Lists all generations by id, a page at a time, for the removal of orphans. */
  generations(after: string, limit: number): Promise<{ id: string; documentId: string; passages: number }[]>
  /** Ids of generations with passages that have no vector in the space, up to `limit`, in the order of their ids. */
  generationsWithoutVectors(space: string, limit: number): Promise<string[]>
  /** For the status page. */
  size(space: string | null): Promise<IndexSize>
  close(): Promise<void>
}
