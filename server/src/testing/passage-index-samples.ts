import type {
  Generation,
  IndexedPassage,
  PassageHit,
  PassageIndex,
  PassageQuery,
} from '#providers/passage-index/port.ts'

export const dimensions = 64

/** An embedding that points toward a numbered topic, rotated slightly by `turn`. */
export function createVector(topic: number, turn = 0): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, index) =>
    Math.sin((index + 1) * (topic + 1) * 7.3),
  )
  for (let index = 0; index < dimensions; index += 4)
    vector[index] = (vector[index] ?? 0) + turn * Math.cos(index * 3.1)
  return vector
}

export function generation(
  id: string,
  channelId = 'channel-1',
  documentId = `document-of-${id}`,
): Generation {
  return {
    id,
    documentId,
    channelId,
  }
}

/** The space of vectors, unless a test says otherwise. */
export const space = 'model'

interface SamplePassage extends IndexedPassage {
  embedding: Float32Array | null
}

export function passage(id: string, text: string, more: Partial<SamplePassage> = {}): SamplePassage {
  return {
    id,
    title: '',
    headingPath: [],
    text,
    embedding: null,
    ...more,
  }
}

/** Adds passages, then the vectors that they have. */
export async function addSamples(
  index: PassageIndex,
  to: Generation,
  passages: readonly SamplePassage[],
): Promise<void> {
  await index.add(
    to,
    passages.map(({ embedding: _, ...indexed }) => indexed),
  )
  const vectors = passages.flatMap(({ id, embedding }) => (embedding ? [{ passageId: id, embedding }] : []))
  if (vectors.length > 0) await index.addVectors(space, vectors)
}

interface SampleQuery extends Omit<PassageQuery, 'embedding'> {
  embedding: Float32Array
  space: string
}

/** Searches generation g1 of channel-1, unless the query says otherwise. */
export async function searchIndex(
  index: PassageIndex,
  text: string,
  { embedding, space: inSpace = space, ...more }: Partial<SampleQuery> = {},
): Promise<PassageHit[]> {
  const { hits } = await index.search({
    channelId: 'channel-1',
    generations: ['g1'],
    text,
    embedding: embedding ? { space: inSpace, vector: embedding } : null,
    limit: 10,
    ...more,
  })
  return hits
}

export function ids(hits: PassageHit[]): string[] {
  return hits.map((hit) => hit.passageId)
}
