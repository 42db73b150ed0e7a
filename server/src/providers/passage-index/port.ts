/** One build of one document's passages. The documents feature decides which generation answers. */
export interface Generation {
  id: string
  documentId: string
  channelId: string
}

export interface IndexedPassage {
  id: string
  /** Searched with the passage, never shown as part of it. */
  title: string
  headingPath: string[]
  text: string
  /** Of the configured embedding model; null where there is none. */
  embedding: Float32Array | null
}

export interface PassageQuery {
  channelId: string
  /** The generations that may answer: nothing outside this set is ever returned. */
  generations: readonly string[]
  text: string
  /** A second wording, weighed less than `text`: what an earlier question adds to a dependent one. */
  context?: string
  embedding: Float32Array | null
  limit: number
}

export interface PassageHit {
  passageId: string
  generation: string
  /** Reciprocal rank fusion of what follows; hits come in falling order of it. */
  score: number
  /** BM25, higher is better; null when the words did not find it. */
  lexical: number | null
  /** Cosine, -1 to 1; null without embeddings. */
  similarity: number | null
  /** The share of the query's content words found in the passage, weighted by their rarity: 0 to 1. */
  cover: number
  /** Its place, from 1, among those found by words, and by meaning; null where it was not found that way. */
  wordsRank: number | null
  meaningRank: number | null
}

export interface IndexSize {
  generations: number
  passages: number
  /** Generations that have passages and are found by words only. */
  withoutVectors: number
}

/** Derived data: it can be deleted and rebuilt from the records without a model call. */
export interface PassageIndex {
  /** Harmless when repeated: a passage with a known id is replaced. */
  add(generation: Generation, passages: readonly IndexedPassage[]): Promise<void>
  drop(generationIds: readonly string[]): Promise<void>
  dropChannel(channelId: string): Promise<void>
  search(query: PassageQuery): Promise<PassageHit[]>
  /** Every generation held, a page at a time by id, for the clean-up of orphans. */
  generations(after: string, limit: number): Promise<{ id: string; documentId: string; passages: number }[]>
  /** What it holds, for whoever looks after the server. */
  size(): Promise<IndexSize>
  close(): Promise<void>
}
