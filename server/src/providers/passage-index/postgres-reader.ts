import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { compareHits, type RankedHit } from './fuse.ts'
import type { Language } from './languages.ts'
import { decodePassageTerms } from './passage-terms.ts'
import type { IndexSize, PassageQuery, SearchResult } from './port.ts'
import { hashWord, toBits } from './postgres-codes.ts'
import type { FoundPassage, Rankings, Rarity, WeightedWord } from './rank-hits.ts'
import {
  candidateLimit,
  fuse,
  groupByWeight,
  listLimit,
  maxScored,
  parseQuery,
  rankByWords,
  selectRarestWords,
  toPassageHits,
} from './rank-hits.ts'
import type { VectorCodes } from './vector-codes.ts'
import { encodeQuestion } from './vector-codes.ts'

/** The parameters of BM25, as SQLite's index has them. */
const [k1, b] = [1.2, 0.75]
/** How long a word's frequency is used although other servers may have added passages. */
const frequencyTtl = 60_000
const maxKnownFrequencies = 20_000

function toCosine(one: Int8Array, other: Int8Array): number {
  let [dot, ones, others] = [0, 0, 0]
  for (let at = 0; at < one.length; at += 1) {
    const value = one[at] ?? 0
    const opposite = other[at] ?? 0
    dot += value * opposite
    ones += value * value
    others += opposite * opposite
  }
  return dot / Math.sqrt(ones * others)
}

interface Scope {
  channelId: string
  numbers: number[]
  languages: Language[]
  /** Of all generations of the channel. */
  passages: number
  averageLength: number
}

async function findScope(db: Db, { channelId, generations }: PassageQuery): Promise<Scope> {
  const { rows } = await sql<{
    number: number
    languages: Language[]
    is_allowed: boolean
    passages: number
    length: number
  }>`select number, languages, id = any(${[...generations]}::text[]) as is_allowed, passages, length
    from passage_index.generations where channel_id = ${channelId}`.execute(db)
  const allowed = rows.filter((row) => row.is_allowed)
  const passages = rows.reduce((sum, row) => sum + row.passages, 0)
  const length = rows.reduce((sum, row) => sum + Number(row.length), 0)
  return {
    channelId,
    numbers: allowed.map(({ number }) => number),
    languages: [...new Set(allowed.flatMap(({ languages }) => languages))],
    passages,
    averageLength: Math.max(1, length / Math.max(1, passages)),
  }
}

/** Counts the passages with each of the words, up to the limit, and remembers the counts for a while. */
function createFrequencies(db: Db) {
  const known = new Map<number, { count: number; at: number }>()

  async function load(words: readonly number[]): Promise<Map<number, number>> {
    const now = performance.now()
    const missing = words.filter((word) => now - (known.get(word)?.at ?? -Infinity) > frequencyTtl)
    if (missing.length > 0) {
      if (known.size > maxKnownFrequencies) known.clear()
      const { rows } = await sql<{ word: number; count: number }>`
        select word, (select count(*) from (select 1 from passage_index.passages
          where words @> array[word] limit ${maxScored + 1}) as matching) as count
        from unnest(${missing}::integer[]) as word`.execute(db)
      for (const { word, count } of rows) known.set(word, { count: Number(count), at: now })
    }
    return new Map(words.map((word) => [word, known.get(word)?.count ?? 0]))
  }
  return { load, clear: (): void => known.clear() }
}

/** The hashes of the words, with how much each counts. */
function weighWords(channelId: string, words: readonly WeightedWord[]): Map<number, number> {
  return new Map(
    words.flatMap(({ variants, count, weight }) =>
      variants.map((term) => [hashWord(channelId, term), count * weight]),
    ),
  )
}

/** BM25. If even the rarest word is common, only the first matches are scored, because they hardly differ. */
async function matchWords(
  db: Db,
  words: readonly WeightedWord[],
  { channelId, numbers, passages, averageLength }: Scope,
  frequencies: ReadonlyMap<number, number>,
): Promise<RankedHit[]> {
  if (words.length === 0) return []
  const wanted = weighWords(channelId, words)
  const scored = maxScored * groupByWeight(words).length
  const hashes = [...wanted.keys()]
  const rarities = [...wanted].map(([word, weight]) => {
    const count = frequencies.get(word) ?? 0
    return weight * Math.max(1e-6, Math.log((Math.max(passages, count) - count + 0.5) / (count + 0.5)))
  })
  const { rows } = await sql<RankedHit>`
    select id, sum(rarity * weight * ${k1 + 1}::float8 / (weight + ${k1 * (1 - b)}::float8 + ${(k1 * b) / averageLength}::float8 * length))
      as score
    from (select id, words, weights, length from passage_index.passages
      where words && ${hashes}::integer[] and generation = any(${numbers}::integer[]) limit ${scored}) as matching
    cross join unnest(${hashes}::integer[], ${rarities}::float8[]) as wanted (word, rarity)
    cross join lateral (select weights[array_position(words, word)] as weight) as found
    where weight is not null
    group by id order by score desc, id collate "C" limit ${listLimit}`.execute(db)
  return rows.map(({ id, score }) => ({ id, score: Number(score) }))
}

/** How many sign bits differ. pgvector counts them two to three times as fast. */
function measureDistance(vector: VectorCodes, pgvectorSchema: string | null) {
  const bits = sql`${toBits(vector)}::bit varying`
  return pgvectorSchema === null
    ? sql`bit_count(signs # ${bits})`
    : sql`signs operator(${sql.ref(pgvectorSchema)}.<~>) ${bits}`
}

/** Null for an unknown one, which matches nothing. */
function findSpace(key: string) {
  return sql`(select number from passage_index.spaces where key = ${key})`
}

async function rankByVector(
  db: Db,
  space: string,
  vector: VectorCodes,
  { numbers }: Scope,
  pgvectorSchema: string | null,
): Promise<RankedHit[]> {
  const { rows } = await sql<StoredVector>`
    select passages.id, bytes from (
      select passage, space from passage_index.vector_signs
      where space = ${findSpace(space)} and generation = any(${numbers}::integer[]) and dimensions = ${vector.dimensions}
      order by ${measureDistance(vector, pgvectorSchema)} limit ${candidateLimit}) as near
    join passage_index.vector_bytes as stored on stored.passage = near.passage and stored.space = near.space
    join passage_index.passages on passages.number = near.passage`.execute(db)
  return toSimilarities(rows, vector).sort(compareHits).slice(0, listLimit)
}

interface StoredVector {
  id: string
  bytes: Buffer
}

function toSimilarities(rows: readonly StoredVector[], vector: VectorCodes): RankedHit[] {
  return rows.map(({ id, bytes }) => ({
    id,
    score: toCosine(vector.bytes, new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)),
  }))
}

async function findSimilarities(
  db: Db,
  space: string,
  vector: VectorCodes,
  hits: readonly RankedHit[],
): Promise<RankedHit[]> {
  const { rows } = await sql<StoredVector>`
    select id, bytes from passage_index.passages join passage_index.vector_bytes on passage = number
    where space = ${findSpace(space)} and dimensions = ${vector.dimensions} and id = any(${hits.map(({ id }) => id)}::text[])`.execute(
    db,
  )
  return toSimilarities(rows, vector)
}

async function readPassages(db: Db, hits: readonly RankedHit[]): Promise<Map<string, FoundPassage>> {
  const { rows } = await sql<{ id: string; generation: string; terms: Buffer }>`
    select p.id, g.id as generation, p.terms from passage_index.passages as p
    join passage_index.generations as g on g.number = p.generation
    where p.id = any(${hits.map(({ id }) => id)}::text[])`.execute(db)
  return new Map(
    rows.map(({ id, generation, terms }) => [id, { generation, terms: decodePassageTerms(terms) }]),
  )
}

export function createPostgresReader(db: Db, pgvectorSchema: string | null) {
  const frequencies = createFrequencies(db)

  async function search(query: PassageQuery): Promise<SearchResult> {
    const scope = await findScope(db, query)
    const searched = scope.numbers.length
    if (searched === 0 || query.limit <= 0) return { hits: [], searched }
    const { words, measured } = parseQuery(query, scope.languages)
    const counts = await frequencies.load([...weighWords(query.channelId, words).keys()])
    const rarity: Rarity = {
      frequency: ({ variants }) =>
        Math.max(...variants.map((term) => counts.get(hashWord(query.channelId, term)) ?? 0)),
      total: () => scope.passages,
    }
    async function searchWords(): Promise<RankedHit[]> {
      const rarest = selectRarestWords(words, rarity)
      const found = await matchWords(db, rarest, scope, counts)
      return found.length > 0 || rarest.length === words.length ? found : matchWords(db, words, scope, counts)
    }
    const { space, codes: vector } = encodeQuestion(query)
    const [lexical, nearest] = await Promise.all([
      searchWords(),
      vector ? rankByVector(db, space, vector, scope, pgvectorSchema) : [],
    ])
    const matching = await readPassages(db, lexical)
    const byWords = rankByWords(lexical, words, matching, rarity)
    const rankings: Rankings = { lexical, byWords, nearest }
    const best = fuse(rankings, query.limit)
    const [found, similarities] = await Promise.all([
      readPassages(db, best),
      vector ? findSimilarities(db, space, vector, best) : [],
    ])
    return { hits: toPassageHits(best, rankings, { measured, found, similarities, rarity }), searched }
  }

  return {
    search,
    clearCache: frequencies.clear,
    async generations(after: string, limit: number) {
      const { rows } = await sql<{ id: string; document_id: string; passages: number }>`
        select id, document_id, passages from passage_index.generations
        where id collate "C" > ${after} order by id collate "C" limit ${limit}`.execute(db)
      return rows.map(({ id, document_id, passages }) => ({ id, documentId: document_id, passages }))
    },
    async generationsWithoutVectors(space: string, limit: number) {
      const { rows } = await sql<{ id: string }>`
        select id from passage_index.generations as generation
        where exists (select 1 from passage_index.passages as passage
          where passage.generation = generation.number
            and not exists (select 1 from passage_index.vector_signs as stored
              where stored.passage = passage.number and stored.space = ${findSpace(space)}))
        order by id collate "C" limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    async size(space: string | null): Promise<IndexSize> {
      const { rows } = await sql<{ generations: number; passages: number; without_vectors: number }>`
        select count(*) as generations, coalesce(sum(passages), 0) as passages,
          (select count(distinct generation) from passage_index.passages as passage
            where ${space !== null}::boolean and not exists (select 1 from passage_index.vector_signs as stored
              where stored.passage = passage.number and stored.space = ${findSpace(space ?? '')})) as without_vectors
        from passage_index.generations`.execute(db)
      const [row] = rows
      return {
        generations: Number(row?.generations),
        passages: Number(row?.passages),
        withoutVectors: Number(row?.without_vectors),
      }
    },
  }
}
