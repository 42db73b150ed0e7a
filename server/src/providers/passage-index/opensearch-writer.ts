import * as z from 'zod'
import { type OpenSearchClient, toFailure } from './opensearch-client.ts'
import {
  addVectorFields,
  getPresenceField,
  getVectorField,
  getVectorPrefix,
  weightScale,
} from './opensearch-schema.ts'
import type { Generation, IndexedPassage, PassageVector } from './port.ts'
import { SearchUnavailable } from './port.ts'
import { encodeVector } from './vector-codes.ts'
import { type WeighedPassage, weighPassages } from './weigh-passages.ts'

const limitMs = 60_000
/** How often documents are deleted again that changed meanwhile. */
const maxDeletions = 5

const itemResult = z.object({
  status: z.number(),
  error: z.object({ type: z.string(), reason: z.string().nullish() }).optional(),
})
const bulkAnswer = z.object({
  errors: z.boolean(),
  items: z.array(z.record(z.string(), itemResult)),
})
const deletionAnswer = z.object({ version_conflicts: z.number(), failures: z.array(z.unknown()) })

const updateAnswer = z.object({ updated: z.number(), failures: z.array(z.unknown()) })
const vectorsPerUpdate = 2000

/** The fields of a passage's vector, which is null if the vector is zero. */
function toVectorFields(space: string, embedding: Float32Array) {
  const codes = encodeVector(embedding)
  const dimensions = codes?.dimensions ?? embedding.length
  return {
    dimensions,
    fields: {
      [getPresenceField(space)]: codes !== null,
      [getVectorField(space, dimensions)]: codes && [...codes.bytes],
    },
  }
}

function formatWords(weights: WeighedPassage['weights']): string {
  return [...weights].map(([term, weight]) => `${term}|${Math.round(weight * weightScale)}`).join(' ')
}

export function createOpenSearchWriter(call: OpenSearchClient, alias: string) {
  const knownFields = new Set<string>()

  async function requireVectorFields(space: string, dimensions: readonly number[]): Promise<void> {
    for (const length of new Set(dimensions)) {
      const field = getVectorField(space, length)
      if (knownFields.has(field)) continue
      await addVectorFields(call, alias, space, length)
      knownFields.add(field)
    }
  }

  /** Sends changes that are visible when this resolves. `require_alias` keeps OpenSearch from inventing an index. */
  async function sendBulk(lines: readonly object[]): Promise<void> {
    const { errors, items } = await call({
      method: 'POST',
      path: `/${alias}/_bulk?require_alias=true&refresh=true`,
      body: lines,
      answer: bulkAnswer,
      signal: AbortSignal.timeout(limitMs),
    })
    if (!errors) return
    for (const { status, error } of items.flatMap((item) => Object.values(item))) {
      if (!error || error.type === 'document_missing_exception') continue
      const failure = toFailure(status, { error })
      // A passage that OpenSearch does not accept must not be tried forever.
      throw status === 400 ? new Error(failure.message) : failure
    }
  }

  async function deleteMatching(query: object): Promise<void> {
    for (let attempt = 1; attempt <= maxDeletions; attempt += 1) {
      const { version_conflicts: conflicts, failures } = await call({
        method: 'POST',
        path: `/${alias}/_delete_by_query?refresh=true&conflicts=proceed`,
        body: { query },
        answer: deletionAnswer,
        signal: AbortSignal.timeout(limitMs),
      })
      if (failures.length > 0) break
      if (conflicts === 0) return
    }
    throw new SearchUnavailable('OpenSearch could not delete passages.')
  }

  return {
    async add({ id, documentId, channelId }: Generation, passages: readonly IndexedPassage[]): Promise<void> {
      const scope = { channel: channelId, document: documentId, generation: id }
      const weighed = await weighPassages(passages)
      await sendBulk([
        { index: { _id: `generation:${id}` } },
        { kind: 'generation', ...scope },
        ...weighed.flatMap(({ id: passageId, language, weights, terms }) => [
          { index: { _id: passageId } },
          {
            kind: 'passage',
            ...scope,
            passage: passageId,
            language,
            words: formatWords(weights),
            terms: Buffer.from(terms.buffer).toString('base64'),
          },
        ]),
      ])
    },
    async addVectors(space: string, vectors: readonly PassageVector[]): Promise<void> {
      if (vectors.length === 0) return
      const encoded = vectors.map(({ passageId, embedding }) => ({
        passageId,
        ...toVectorFields(space, embedding),
      }))
      await requireVectorFields(
        space,
        encoded.map(({ dimensions }) => dimensions),
      )
      await sendBulk(
        encoded.flatMap(({ passageId, fields }) => [
          { update: { _id: passageId, retry_on_conflict: 3 } },
          { doc: fields },
        ]),
      )
    },
    /** Removes a batch of vectors of a space. Returns false when none are left. */
    async dropVectors(space: string): Promise<boolean> {
      const { updated, failures } = await call({
        method: 'POST',
        path: `/${alias}/_update_by_query?refresh=true&conflicts=proceed&max_docs=${vectorsPerUpdate}`,
        body: {
          query: { exists: { field: getPresenceField(space) } },
          script: {
            source: 'ctx._source.keySet().removeIf(field -> field.startsWith(params.prefix))',
            params: { prefix: getVectorPrefix(space) },
          },
        },
        answer: updateAnswer,
        signal: AbortSignal.timeout(limitMs),
      })
      if (failures.length > 0) throw new SearchUnavailable('OpenSearch could not remove vectors.')
      return updated > 0
    },
    drop: (ids: readonly string[]) => deleteMatching({ terms: { generation: ids } }),
    dropChannel: (channelId: string) => deleteMatching({ term: { channel: channelId } }),
    /** The index is new, without fields for vectors. */
    forgetFields: (): void => knownFields.clear(),
  }
}
