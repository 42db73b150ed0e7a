import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { OpenSearchClient } from './opensearch-client.ts'

/** Increase when the stored data changes meaning. An older index is deleted and created again. */
const layout = 4

/** Weights are stored as whole numbers. */
export const weightScale = 4
/** The parameters of BM25, as the other engines have them. Only the ratio of weights and k1 matters. */
const [k1, b] = [1.2 * weightScale, 0.75]

/**
 * A passage is a document, and so is a generation, which may have no passages. `words` is a list of `term|weight`, made
 * by the same code as for the other engines. Vectors are part of the source, so that an update keeps those of other spaces.
 * `passage` repeats the id, because OpenSearch advises against sorting by `_id`.
 */
const definition = {
  settings: {
    index: {
      knn: true,
      auto_expand_replicas: '0-1',
      // A channel may have more documents than OpenSearch accepts in a filter by default.
      max_terms_count: 1_000_000,
      similarity: { default: { type: 'BM25', k1, b } },
    },
    analysis: {
      filter: { weight: { type: 'delimited_term_freq', delimiter: '|' } },
      analyzer: { weighted_words: { tokenizer: 'whitespace', filter: ['weight'] } },
    },
  },
  mappings: {
    dynamic: false,
    _meta: { layout },
    properties: {
      kind: { type: 'keyword' },
      channel: { type: 'keyword' },
      document: { type: 'keyword' },
      generation: { type: 'keyword' },
      passage: { type: 'keyword' },
      language: { type: 'keyword' },
      words: { type: 'text', analyzer: 'weighted_words', index_options: 'freqs' },
      terms: { type: 'binary' },
    },
  },
} as const

/** The beginning of the names of a space's fields, which have one for each length of vectors. */
export function getVectorPrefix(space: string): string {
  return `vector_${createHash('sha256').update(space).digest('hex').slice(0, 16)}_`
}

export function getVectorField(space: string, dimensions: number): string {
  return `${getVectorPrefix(space)}${dimensions}`
}

/** Whether a passage has a vector in the space. */
export function getPresenceField(space: string): string {
  return `${getVectorPrefix(space)}exists`
}

const done = z.object({ acknowledged: z.literal(true) })
const mappings = z.record(
  z.string(),
  z.object({ mappings: z.object({ _meta: z.object({ layout: z.number() }).optional() }) }),
)

const limitMs = 30_000
/** How long an index may take to load before it counts as away. */
const [loadLimitMs, loadPauseMs] = [10_000, 100]
function getLimit(): AbortSignal {
  return AbortSignal.timeout(limitMs)
}

/** The indexes behind the alias, with their layouts. */
async function findIndexes(
  call: OpenSearchClient,
  alias: string,
): Promise<{ name: string; layout: number | undefined }[]> {
  const aliases = await call({
    method: 'GET',
    path: `/_cat/aliases/${alias}?format=json`,
    answer: z.array(z.object({ index: z.string() })),
    signal: getLimit(),
  })
  if (aliases.length === 0) return []
  const found = await call({
    method: 'GET',
    path: `/${alias}/_mapping`,
    answer: mappings,
    signal: getLimit(),
  })
  return Object.entries(found).map(
    ([
      name,
      {
        mappings: { _meta },
      },
    ]) => ({ name, layout: _meta?.layout }),
  )
}

async function createIndex(call: OpenSearchClient, alias: string): Promise<boolean> {
  const indexes = await findIndexes(call, alias)
  if (indexes.some((index) => index.layout === layout)) return false
  for (const { name } of indexes)
    await call({ method: 'DELETE', path: `/${name}`, answer: done, signal: getLimit() })
  const body = { ...definition, aliases: { [alias]: {} } }
  try {
    await call({ method: 'PUT', path: `/${alias}-v${layout}`, body, answer: done, signal: getLimit() })
  } catch (error) {
    if ((await findIndexes(call, alias)).length === 0) throw error
    return false
  }
  return true
}

/** Tries a search until it succeeds: after a start, OpenSearch answers before it has loaded the index. */
async function waitUntilSearchable(call: OpenSearchClient, alias: string): Promise<void> {
  const deadline = performance.now() + loadLimitMs
  for (;;)
    try {
      const answer = z.object({ _shards: z.object({ failed: z.literal(0) }) })
      await call({ method: 'POST', path: `/${alias}/_search`, body: { size: 0 }, answer, signal: getLimit() })
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(loadPauseMs, undefined, { ref: false })
    }
}

/**
 * Creates the index unless it exists with this layout, and waits until it can be searched. Returns whether it was created.
 * Another server may do the same at the same time.
 */
export async function prepareIndex(call: OpenSearchClient, alias: string): Promise<boolean> {
  const isNew = await createIndex(call, alias)
  await waitUntilSearchable(call, alias)
  return isNew
}

/** Adds the fields for vectors of this length, unless they exist. */
export async function addVectorFields(
  call: OpenSearchClient,
  alias: string,
  space: string,
  dimensions: number,
): Promise<void> {
  const parameters = { m: 16, ef_construction: 64 }
  const field = {
    type: 'knn_vector',
    dimension: dimensions,
    data_type: 'byte',
    method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil', parameters },
  }
  await call({
    method: 'PUT',
    path: `/${alias}/_mapping`,
    body: {
      properties: {
        [getVectorField(space, dimensions)]: field,
        [getPresenceField(space)]: { type: 'boolean' },
      },
    },
    answer: done,
    signal: getLimit(),
  })
}
