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

export function passage(id: string, text: string, more: Partial<IndexedPassage> = {}): IndexedPassage {
  return {
    id,
    title: '',
    headingPath: [],
    text,
    embedding: null,
    ...more,
  }
}

/** Searches generation g1 of channel-1, unless the query says otherwise. */
export async function searchIndex(
  index: PassageIndex,
  text: string,
  more: Partial<PassageQuery> = {},
): Promise<PassageHit[]> {
  const { hits } = await index.search({
    channelId: 'channel-1',
    generations: ['g1'],
    text,
    embedding: null,
    limit: 10,
    ...more,
  })
  return hits
}

export function ids(hits: PassageHit[]): string[] {
  return hits.map((hit) => hit.passageId)
}
