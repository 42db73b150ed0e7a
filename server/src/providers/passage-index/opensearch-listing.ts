import * as z from 'zod'
import type { OpenSearchClient } from './opensearch-client.ts'
import { buckets, complete, count, generationsOnly, passagesOnly } from './opensearch-reader.ts'
import { getPresenceField } from './opensearch-schema.ts'
import type { IndexSize } from './port.ts'

const readLimitMs = 10_000
/** Below this, OpenSearch counts distinct values exactly. */
const exactCount = 40_000

const pageAnswer = complete.extend({
  hits: z.object({
    hits: z.array(z.object({ _source: z.object({ generation: z.string(), document: z.string() }) })),
  }),
})
const passageCounts = complete.extend({ aggregations: z.object({ generations: buckets }) })
const distinct = z.object({ value: z.number() })
const sizeAnswer = complete.extend({
  aggregations: z.object({
    generations: count,
    passages: count,
    withoutVectors: count.extend({ generations: distinct }),
  }),
})

/** Describes what the index contains. */
export function createOpenSearchListing(call: OpenSearchClient, alias: string) {
  function read<T>(body: object, answer: z.ZodType<T>): Promise<T> {
    const signal = AbortSignal.timeout(readLimitMs)
    return call({ method: 'POST', path: `/${alias}/_search`, body, answer, signal })
  }

  async function generations(after: string, limit: number) {
    const page = await read(
      {
        size: limit,
        query: generationsOnly,
        sort: [{ generation: 'asc' }],
        search_after: [after],
        _source: ['generation', 'document'],
      },
      pageAnswer,
    )
    const listed = page.hits.hits.map(({ _source }) => _source)
    if (listed.length === 0) return []
    const ids = listed.map(({ generation }) => generation)
    const { aggregations } = await read(
      {
        size: 0,
        query: { bool: { filter: [passagesOnly, { terms: { generation: ids } }] } },
        aggs: { generations: { terms: { field: 'generation', size: ids.length } } },
      },
      passageCounts,
    )
    const counts = new Map(aggregations.generations.buckets.map(({ key, doc_count }) => [key, doc_count]))
    return listed.map(({ generation, document }) => ({
      id: generation,
      documentId: document,
      passages: counts.get(generation) ?? 0,
    }))
  }

  function lacksVector(space: string) {
    const hasVector = { term: { [getPresenceField(space)]: true } }
    return { bool: { filter: [passagesOnly], must_not: [hasVector] } }
  }

  async function generationsWithoutVectors(space: string, limit: number): Promise<string[]> {
    const { aggregations } = await read(
      {
        size: 0,
        query: lacksVector(space),
        aggs: { generations: { terms: { field: 'generation', size: limit, order: { _key: 'asc' } } } },
      },
      passageCounts,
    )
    return aggregations.generations.buckets.map(({ key }) => key)
  }

  async function size(space: string | null): Promise<IndexSize> {
    const distinctGenerations = {
      generations: { cardinality: { field: 'generation', precision_threshold: exactCount } },
    }
    const { aggregations } = await read(
      {
        size: 0,
        aggs: {
          generations: { filter: generationsOnly },
          passages: { filter: passagesOnly },
          withoutVectors: { filter: lacksVector(space ?? ''), aggs: distinctGenerations },
        },
      },
      sizeAnswer,
    )
    return {
      generations: aggregations.generations.doc_count,
      passages: aggregations.passages.doc_count,
      withoutVectors: space === null ? 0 : aggregations.withoutVectors.generations.value,
    }
  }

  return { generations, generationsWithoutVectors, size }
}
