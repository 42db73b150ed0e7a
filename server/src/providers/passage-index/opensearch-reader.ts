import * as z from 'zod'
import type { RankedHit } from './fuse.ts'
import type { Language } from './languages.ts'
import { type OpenSearchClient, toFailure } from './opensearch-client.ts'
import { getVectorField } from './opensearch-schema.ts'
import { decodePassageTerms } from './passage-terms.ts'
import type { PassageQuery, SearchResult } from './port.ts'
import { SearchUnavailable } from './port.ts'
import type { FoundPassage, Rankings, Rarity, WeightedWord } from './rank-hits.ts'
import { fuse, listLimit, parseQuery, rankByWords, toPassageHits } from './rank-hits.ts'
import { encodeQuestion, type VectorCodes } from './vector-codes.ts'

const maxLanguages = 100
/** More than are ranked, because OpenSearch chooses by itself between the last ones if they are equally near. */
const nearestLimit = 2 * listLimit
export const passagesOnly = { term: { kind: 'passage' } }
export const generationsOnly = { term: { kind: 'generation' } }

/** Best first. Equally good passages are ordered by id. */
const order = { sort: [{ _score: 'desc' }, { passage: 'asc' }], track_scores: true }

const hit = z.object({
  _id: z.string(),
  _score: z.number(),
  _source: z.object({ generation: z.string(), terms: z.string() }),
})
type Hit = z.infer<typeof hit>

/** An answer that lacks some of the passages is none. */
export const complete = z.object({
  timed_out: z.literal(false),
  _shards: z.object({ failed: z.literal(0) }),
})
const total = z.object({ value: z.number() })
export const count = z.object({ doc_count: z.number() })
export const buckets = z.object({ buckets: z.array(count.extend({ key: z.string() })) })

const hitsAnswer = complete.extend({ hits: z.object({ hits: z.array(hit) }) })
const countsAnswer = complete.extend({
  hits: z.object({ total }),
  aggregations: z.object({ words: z.object({ buckets: z.array(count) }) }),
})
const scopeAnswer = complete.extend({
  aggregations: z.object({ languages: buckets, generations: count }),
})
const manyAnswers = z.object({ responses: z.array(z.looseObject({ status: z.number() })) })

function matchTerms(words: readonly WeightedWord[]): object[] {
  return words.flatMap(({ variants, count, weight }) =>
    variants.map((term) => ({ term: { words: { value: term, boost: count * weight } } })),
  )
}

/** Read with each hit. */
const sourceFields = ['generation', 'terms']

function toSimilarity({ _score }: Hit): number {
  return 2 * _score - 1
}

interface EncodedVector {
  space: string
  codes: VectorCodes
}

interface Question {
  words: WeightedWord[]
  vector: EncodedVector | null
  /** The channel and the generations that may answer. */
  filter: object[]
}

function searchByWords({ words, filter }: Question): object {
  return { bool: { filter, should: matchTerms(words), minimum_should_match: 1 } }
}

function searchByMeaning(
  { space, codes: { dimensions, bytes } }: EncodedVector,
  filter: readonly object[],
  k: number,
): object {
  const parameters = { vector: [...bytes], k, filter: { bool: { filter } }, ignore_unmapped: true }
  return { knn: { [getVectorField(space, dimensions)]: parameters } }
}

/** Counts the passages of the channel, and those with each of the words. */
function countWords(channelId: string, words: readonly WeightedWord[]): object {
  const filters = words.map(({ variants }) => ({ terms: { words: variants } }))
  return {
    size: 0,
    track_total_hits: true,
    query: { bool: { filter: [passagesOnly, { term: { channel: channelId } }] } },
    aggs: { words: { filters: { filters } } },
  }
}

function toRanked(hits: readonly Hit[], score: (hit: Hit) => number): RankedHit[] {
  return hits.map((each) => ({ id: each._id, score: score(each) }))
}

/** Each passage once, also if several lists have it. */
function decodePassages(hits: readonly Hit[]): Map<string, FoundPassage> {
  const byId = new Map(hits.map(({ _id, _source }) => [_id, _source]))
  return new Map(
    [...byId].map(([id, { generation, terms }]) => [
      id,
      { generation, terms: decodePassageTerms(Buffer.from(terms, 'base64')) },
    ]),
  )
}

/** Searches until the signal aborts. */
export function createOpenSearchSearch(call: OpenSearchClient, alias: string) {
  function read<T>(body: object, answer: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    return call({ method: 'POST', path: `/${alias}/_search`, body, answer, signal })
  }

  /** Sends several searches at once. Throws if one of them failed. */
  async function readAll(bodies: readonly object[], signal: AbortSignal): Promise<unknown[]> {
    const { responses } = await call({
      method: 'POST',
      path: `/${alias}/_msearch`,
      body: bodies.flatMap((body) => [{}, body]),
      answer: manyAnswers,
      signal,
    })
    for (const response of responses) if (response.status !== 200) throw toFailure(response.status, response)
    return responses
  }

  function parse<T>(answer: z.ZodType<T>, response: unknown): T {
    const parsed = answer.safeParse(response)
    if (parsed.success) return parsed.data
    throw new SearchUnavailable('OpenSearch answered a search incompletely.', { cause: parsed.error })
  }

  async function findScope({ channelId, generations }: PassageQuery, signal: AbortSignal) {
    const filter = [{ term: { channel: channelId } }, { terms: { generation: generations } }]
    const { aggregations } = await read(
      {
        size: 0,
        query: { bool: { filter } },
        aggs: {
          languages: { terms: { field: 'language', size: maxLanguages } },
          generations: { filter: generationsOnly },
        },
      },
      scopeAnswer,
      signal,
    )
    return {
      filter: [passagesOnly, ...filter],
      searched: aggregations.generations.doc_count,
      languages: aggregations.languages.buckets.map(({ key }) => key as Language),
    }
  }

  async function rankAll(question: Question, channelId: string, signal: AbortSignal) {
    const { words, vector, filter } = question
    const page = { size: listLimit, _source: sourceFields, ...order }
    const searches: Record<'lexical' | 'nearest' | 'counts', object | null> = {
      lexical: words.length > 0 ? { ...page, query: searchByWords(question) } : null,
      nearest: vector && {
        ...page,
        query: searchByMeaning(vector, filter, nearestLimit),
      },
      counts: words.length > 0 ? countWords(channelId, words) : null,
    }
    const wanted = Object.entries(searches).flatMap(([name, body]) => (body ? [{ name, body }] : []))
    const responses =
      wanted.length === 0
        ? []
        : await readAll(
            wanted.map(({ body }) => body),
            signal,
          )
    function getResponse(name: keyof typeof searches): unknown {
      return responses[wanted.findIndex((each) => each.name === name)]
    }
    function getHits(name: keyof typeof searches): Hit[] {
      return searches[name] ? parse(hitsAnswer, getResponse(name)).hits.hits : []
    }
    return {
      lexical: getHits('lexical'),
      nearest: getHits('nearest'),
      counts: searches.counts ? parse(countsAnswer, getResponse('counts')) : null,
    }
  }

  /** The similarity of passages that were not among the nearest. */
  async function findSimilarities(
    vector: EncodedVector,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<Hit[]> {
    if (ids.length === 0) return []
    const query = searchByMeaning(vector, [{ ids: { values: ids } }], ids.length)
    const { hits } = await read({ size: ids.length, _source: sourceFields, query }, hitsAnswer, signal)
    return hits.hits
  }

  async function search(query: PassageQuery, signal: AbortSignal): Promise<SearchResult> {
    const { searched, filter, languages } = await findScope(query, signal)
    if (searched === 0 || query.limit <= 0) return { hits: [], searched }
    const { words, measured } = parseQuery(query, languages)
    const { space, codes } = encodeQuestion(query)
    const vector = codes && { space, codes }
    const answers = await rankAll({ words, vector, filter }, query.channelId, signal)
    const found = decodePassages([...answers.lexical, ...answers.nearest])
    const counts = answers.counts?.aggregations.words.buckets ?? []
    const frequencies = new Map(words.map((word, at) => [word, counts[at]?.doc_count ?? 0]))
    const rarity: Rarity = {
      frequency: (word) => frequencies.get(word) ?? 0,
      total: () => answers.counts?.hits.total.value ?? 0,
    }
    const lexical = toRanked(answers.lexical, ({ _score }) => _score)
    const rankings: Rankings = {
      lexical,
      byWords: rankByWords(lexical, words, found, rarity),
      nearest: toRanked(answers.nearest, toSimilarity),
    }
    const best = fuse(rankings, query.limit)
    const near = new Set(rankings.nearest.map(({ id }) => id))
    const others = best.flatMap(({ id }) => (near.has(id) ? [] : [id]))
    const similarities = vector ? await findSimilarities(vector, others, signal) : []
    const hits = toPassageHits(best, rankings, {
      measured,
      found,
      similarities: [...rankings.nearest, ...toRanked(similarities, toSimilarity)],
      rarity,
    })
    return { hits, searched }
  }

  return search
}
