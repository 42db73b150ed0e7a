import { createHash } from 'node:crypto'
import type { Deps } from '../../../deps.ts'
import { checkDimensions, type EmbeddingSpace } from './embedding-spaces.ts'
import { findEmbeddings, insertEmbeddings, insertEmbeddingUsage } from './embedding-store.ts'

/** Embeddings are stored after each call, so that a killed job pays for at most this many texts again. */
const textsPerCall = 32

interface EmbeddedPassage {
  title: string
  headingPath: readonly string[]
  text: string
}

/** The text to embed. Title and headings are included because they help the search. */
function toEmbeddingText({ title, headingPath, text }: EmbeddedPassage): string {
  return `${[title, ...headingPath].join(' > ')}\n${text}`
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The model returns vectors of another length than before. */
export class DimensionsChanged extends Error {
  readonly length: number
  constructor(length: number) {
    super(`The embedding model now returns vectors with ${length} dimensions.`)
    this.length = length
  }
}

/** Returns the stored vector of each passage, or null if it has none. Never calls the model. */
export async function findStoredEmbeddings(
  deps: Deps,
  spaceKey: string,
  passages: readonly EmbeddedPassage[],
): Promise<(Float32Array | null)[]> {
  const hashes = passages.map((passage) => hashText(toEmbeddingText(passage)))
  const known = await findEmbeddings(deps.db, spaceKey, [...new Set(hashes)])
  return hashes.map((hash) => known.get(hash) ?? null)
}

async function requestEmbeddings(
  deps: Deps,
  space: EmbeddingSpace,
  channelId: string,
  missing: readonly (readonly [hash: string, text: string])[],
  signal: AbortSignal,
): Promise<Map<string, Float32Array>> {
  const { key, embedder } = space
  const { vectors, inputTokens } = await embedder.embed(
    missing.map(([, text]) => text),
    'passage',
    signal,
  )
  const length = vectors[0]?.length ?? 0
  const isExpected =
    space.dimensions === null ? await checkDimensions(deps, space, length) : space.dimensions === length
  if (!isExpected) throw new DimensionsChanged(length)
  const vectorsByHash = new Map<string, Float32Array>()
  for (const [index, [hash]] of missing.entries()) {
    const vector = vectors[index]
    if (vector) vectorsByHash.set(hash, vector)
  }
  await deps.db.transaction().execute(async (tx) => {
    const now = deps.now()
    await insertEmbeddings(tx, key, vectorsByHash, now)
    await insertEmbeddingUsage(tx, {
      model: embedder.model,
      inputTokens,
      channelId,
      userId: null,
      messageId: null,
      now,
    })
  })
  return vectorsByHash
}

/** Returns the vectors of these passages in a space. Missing ones are requested from its model and stored. */
export async function embedPassages(
  deps: Deps,
  space: EmbeddingSpace,
  channelId: string,
  passages: readonly EmbeddedPassage[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const textsByHash = new Map(passages.map(toEmbeddingText).map((text) => [hashText(text), text]))
  const vectors = await findEmbeddings(deps.db, space.key, [...textsByHash.keys()])
  const missing = [...textsByHash].filter(([hash]) => !vectors.has(hash))
  for (let start = 0; start < missing.length; start += textsPerCall) {
    const found = await requestEmbeddings(
      deps,
      space,
      channelId,
      missing.slice(start, start + textsPerCall),
      signal,
    )
    for (const [hash, vector] of found) vectors.set(hash, vector)
  }
  return passages.map((passage) => {
    const vector = vectors.get(hashText(toEmbeddingText(passage)))
    if (!vector) throw new Error('the embedding service returned too few vectors')
    return vector
  })
}
