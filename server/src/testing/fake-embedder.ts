import type { Assistant, EmbeddedBatch, Embedder } from '#providers/assistant/port.ts'

/** An embedding model without an endpoint. */
export function createFakeEmbedder(
  model: string,
  embed: (texts: readonly string[]) => Promise<EmbeddedBatch>,
): Embedder {
  return {
    model,
    fingerprint: `fingerprint of ${model}`,
    pausedUntil: null,
    resume: () => undefined,
    embed,
  }
}

/** An installation with an embedding model, and without a language model. */
export function createEmbeddingAssistant(embedder: Embedder): Assistant {
  return { chat: null, embedder, reranker: null, external: null }
}
