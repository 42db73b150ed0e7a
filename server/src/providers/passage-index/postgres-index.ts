import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/client.ts'
import type { AnalyzedPassage, QueryWord } from './analyze.ts'
import { analyzePassages, hashTerm, withLetters } from './analyze.ts'
import type { RankedHit } from './fuse.ts'
import type { Language } from './languages.ts'
import type {
  Generation,
  IndexedPassage,
  IndexSize,
  PassageHit,
  PassageIndex,
  PassageQuery,
  PassageVector,
} from './port.ts'
import { prepareTables } from './postgres-schema.ts'
import type { FoundPassage, Rankings, Rarity } from './rank-hits.ts'
import {
  candidateLimit,
  fieldWeights,
  fuse,
  listLimit,
  maxScored,
  parseQuery,
  rankByCoverage,
  selectRarestWords,
  toPassageHits,
} from './rank-hits.ts'
import type { VectorCodes } from './vector-codes.ts'
import { encodeVector } from './vector-codes.ts'

/** The parameters of BM25, as SQLite's index has them. */
const [k1, b] = [1.2, 0.75]
/** Small, so that a transaction locks little and a killed server repeats little. */
const passagesPerAdd = 100
/** Milliseconds of work before other requests get a turn. */
const sliceMs = 8
/** How long a word's frequency is used although other servers may have added passages. */
const frequencyTtl = 60_000
const maxKnownFrequencies = 20_000

/** PostgreSQL's integers are signed. */
function hashWord(channelId: string, term: string): number {
  return hashTerm(`${channelId}\0${term}`) | 0
}

interface StoredPassage {
  id: string
  words: number[]
  weights: number[]
  length: number
  vector: VectorCodes | null
}

function toStored(channelId: string, { passage, title, heading, body }: AnalyzedPassage): StoredPassage {
  const weights = new Map<number, number>()
  for (const [terms, weight] of [
    [title, fieldWeights.title],
    [heading, fieldWeights.heading],
    [body, fieldWeights.body],
  ] as const)
    for (const term of terms)
      for (const part of withLetters(term)) {
        const word = hashWord(channelId, part)
        weights.set(word, (weights.get(word) ?? 0) + weight)
      }
  return {
    id: passage.id,
    words: [...weights.keys()],
    weights: [...weights.values()],
    length: title.length + heading.length + body.length,
    vector: passage.embedding && encodeVector(passage.embedding),
  }
}

function toBits({ signs }: VectorCodes): string {
  return `x${Buffer.from(signs).toString('hex')}`
}

function toCosine(one: Int8Array, other: Int8Array): number {
  let [dot, ones, others] = [0, 0, 0]
  for (const [at, value] of one.entries()) {
    const opposite = other[at] ?? 0
    dot += value * opposite
    ones += value * value
    others += opposite * opposite
  }
  return dot / Math.sqrt(ones * others)
}

async function insertVectors(
  tx: Tx,
  vectors: readonly { passage: number; generation: number; vector: VectorCodes }[],
): Promise<void> {
  if (vectors.length === 0) return
  const passages = vectors.map(({ passage }) => passage)
  const generations = vectors.map(({ generation }) => generation)
  const dimensions = vectors.map(({ vector }) => vector.dimensions)
  const signs = vectors.map(({ vector }) => toBits(vector))
  const bytes = vectors.map(({ vector }) => Buffer.from(vector.bytes.buffer))
  await sql`insert into passage_index.vector_signs (passage, generation, dimensions, signs)
    select passage, generation, dimensions, signs::bit varying
    from unnest(${passages}::bigint[], ${generations}::integer[], ${dimensions}::integer[], ${signs}::text[])
      as added (passage, generation, dimensions, signs)
    on conflict (passage) do update set dimensions = excluded.dimensions, signs = excluded.signs`.execute(tx)
  await sql`insert into passage_index.vector_bytes (passage, dimensions, bytes)
    select * from unnest(${passages}::bigint[], ${dimensions}::integer[], ${bytes}::bytea[])
    on conflict (passage) do update set dimensions = excluded.dimensions, bytes = excluded.bytes`.execute(tx)
}

async function insertPassages(
  tx: Tx,
  { id, documentId, channelId }: Generation,
  passages: readonly StoredPassage[],
  languages: readonly Language[],
): Promise<void> {
  const added = await sql<{ number: number }>`
    insert into passage_index.generations (id, document_id, channel_id) values (${id}, ${documentId}, ${channelId})
    on conflict (id) do update set document_id = excluded.document_id returning number`.execute(tx)
  const generation = Number(added.rows[0]?.number)
  const ids = passages.map((passage) => passage.id)
  await sql`delete from passage_index.passages where id = any(${ids}::text[])`.execute(tx)
  const { rows } = await sql<{ id: string; number: number }>`
    insert into passage_index.passages (id, generation, words, weights, length)
    select id, ${generation}::integer, words::integer[], weights::real[], length
    from unnest(${ids}::text[], ${passages.map(({ words }) => `{${words.join()}}`)}::text[],
      ${passages.map(({ weights }) => `{${weights.join()}}`)}::text[],
      ${passages.map(({ length }) => length)}::integer[]) as added (id, words, weights, length)
    returning id, number`.execute(tx)
  const numbers = new Map(rows.map((row) => [row.id, Number(row.number)]))
  await insertVectors(
    tx,
    passages.flatMap(({ id: passageId, vector }) => {
      const passage = numbers.get(passageId)
      return vector && passage !== undefined ? [{ passage, generation, vector }] : []
    }),
  )
  await sql`update passage_index.generations set
      languages = array(select distinct unnest(languages || ${[...languages]}::text[])),
      (passages, length) = (select count(*), coalesce(sum(length), 0) from passage_index.passages
        where generation = ${generation})
    where number = ${generation}`.execute(tx)
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

function listWords(channelId: string, words: readonly QueryWord[]): number[] {
  return [...new Set(words.flatMap(({ variants }) => variants.map((term) => hashWord(channelId, term))))]
}

/** BM25. If even the rarest word is common, only the first matches are scored, because they hardly differ. */
async function matchWords(
  db: Db,
  words: readonly QueryWord[],
  { channelId, numbers, passages, averageLength }: Scope,
  frequencies: ReadonlyMap<number, number>,
): Promise<RankedHit[]> {
  if (words.length === 0) return []
  const hashes = listWords(channelId, words)
  const rarities = hashes.map((word) => {
    const count = frequencies.get(word) ?? 0
    return Math.max(1e-6, Math.log((Math.max(passages, count) - count + 0.5) / (count + 0.5)))
  })
  const { rows } = await sql<RankedHit>`
    select number, sum(rarity * weight * ${k1 + 1}::float8 / (weight + ${k1 * (1 - b)}::float8 + ${(k1 * b) / averageLength}::float8 * length))
      as score
    from (select number, words, weights, length from passage_index.passages
      where words && ${hashes}::integer[] and generation = any(${numbers}::integer[]) limit ${maxScored}) as matching
    cross join unnest(${hashes}::integer[], ${rarities}::float8[]) as wanted (word, rarity)
    cross join lateral (select weights[array_position(words, word)] as weight) as found
    where weight is not null
    group by number order by score desc, number limit ${listLimit}`.execute(db)
  return rows.map(({ number, score }) => ({ number: Number(number), score: Number(score) }))
}

async function rankByVector(db: Db, vector: VectorCodes, { numbers }: Scope): Promise<RankedHit[]> {
  const { rows } = await sql<{ number: number; bytes: Buffer }>`
    select near.passage as number, bytes from (
      select passage from passage_index.vector_signs
      where generation = any(${numbers}::integer[]) and dimensions = ${vector.dimensions}
      order by bit_count(signs # ${toBits(vector)}::bit varying) limit ${candidateLimit}) as near
    join passage_index.vector_bytes as stored on stored.passage = near.passage`.execute(db)
  return toSimilarities(rows, vector)
    .sort((one, other) => other.score - one.score || one.number - other.number)
    .slice(0, listLimit)
}

function toSimilarities(
  rows: readonly { number: number; bytes: Buffer }[],
  vector: VectorCodes,
): RankedHit[] {
  return rows.map(({ number, bytes }) => ({
    number: Number(number),
    score: toCosine(vector.bytes, new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)),
  }))
}

async function findSimilarities(
  db: Db,
  vector: VectorCodes,
  hits: readonly RankedHit[],
): Promise<RankedHit[]> {
  const { rows } = await sql<{ number: number; bytes: Buffer }>`
    select passage as number, bytes from passage_index.vector_bytes
    where dimensions = ${vector.dimensions} and passage = any(${hits.map(({ number }) => number)}::bigint[])`.execute(
    db,
  )
  return toSimilarities(rows, vector)
}

async function readPassages(
  db: Db,
  hits: readonly RankedHit[],
  channelId: string,
): Promise<Map<number, FoundPassage>> {
  const { rows } = await sql<{ number: number; id: string; generation: string; words: number[] }>`
    select p.number, p.id, g.id as generation, p.words from passage_index.passages as p
    join passage_index.generations as g on g.number = p.generation
    where p.number = any(${hits.map(({ number }) => number)}::bigint[])`.execute(db)
  return new Map(
    rows.map(({ number, id, generation, words }) => {
      const known = new Set(words)
      return [Number(number), { id, generation, hasTerm: (term) => known.has(hashWord(channelId, term)) }]
    }),
  )
}

/** A search index in the tables of PostgreSQL, which all servers share. It needs no extension. */
export async function createPostgresIndex(db: Db): Promise<PassageIndex> {
  await prepareTables(db)
  const frequencies = createFrequencies(db)
  const searches = new Set<Promise<unknown>>()
  let isClosed = false

  /** Analyzes a batch with breaks, because stemming long documents would block the event loop. */
  async function analyze(channelId: string, passages: readonly IndexedPassage[]) {
    const stored: StoredPassage[] = []
    const languages = new Set<Language>()
    let begun = performance.now()
    for (const analyzed of analyzePassages(passages)) {
      stored.push(toStored(channelId, analyzed))
      languages.add(analyzed.language)
      if (performance.now() - begun < sliceMs) continue
      await setImmediate()
      begun = performance.now()
    }
    return { stored, languages: [...languages] }
  }

  async function search(query: PassageQuery): Promise<PassageHit[]> {
    const scope = await findScope(db, query)
    if (scope.numbers.length === 0 || query.limit <= 0) return []
    const { words, context } = parseQuery(query, scope.languages)
    const counts = await frequencies.load(listWords(query.channelId, [...words, ...context]))
    const rarity: Rarity = {
      frequency: ({ variants }) =>
        Math.max(...variants.map((term) => counts.get(hashWord(query.channelId, term)) ?? 0)),
      total: () => scope.passages,
    }
    async function searchWords(all: readonly QueryWord[]): Promise<RankedHit[]> {
      const rarest = selectRarestWords(all, rarity)
      const found = await matchWords(db, rarest, scope, counts)
      return found.length > 0 || rarest.length === all.length ? found : matchWords(db, all, scope, counts)
    }
    const vector = query.embedding && encodeVector(query.embedding)
    const [lexical, byContext, nearest] = await Promise.all([
      searchWords(words),
      searchWords(context),
      vector ? rankByVector(db, vector, scope) : [],
    ])
    const matching = await readPassages(db, lexical, query.channelId)
    const byCoverage = rankByCoverage(lexical, words, matching, rarity)
    const rankings: Rankings = { lexical, byCoverage, byContext, nearest }
    const best = fuse(rankings, query.limit)
    const [found, similarities] = await Promise.all([
      readPassages(db, best, query.channelId),
      vector ? findSimilarities(db, vector, best) : [],
    ])
    return toPassageHits(best, rankings, { words, found, similarities, rarity })
  }

  function requireOpen(): void {
    if (isClosed) throw new Error('the search index is closed')
  }

  return {
    async add(generation, passages) {
      for (let at = 0; at === 0 || at < passages.length; at += passagesPerAdd) {
        requireOpen()
        const batch = passages.slice(at, at + passagesPerAdd)
        const { stored, languages } = await analyze(generation.channelId, batch)
        await db.transaction().execute((tx) => insertPassages(tx, generation, stored, languages))
      }
      frequencies.clear()
    },
    async addVectors(vectors) {
      for (let at = 0; at < vectors.length; at += passagesPerAdd) {
        requireOpen()
        const batch = vectors.slice(at, at + passagesPerAdd)
        await db.transaction().execute((tx) => replaceVectors(tx, batch))
      }
    },
    async drop(ids) {
      await sql`delete from passage_index.generations where id = any(${[...ids]}::text[])`.execute(db)
      frequencies.clear()
    },
    async dropChannel(channelId) {
      await sql`delete from passage_index.generations where channel_id = ${channelId}`.execute(db)
      frequencies.clear()
    },
    async search(query) {
      requireOpen()
      const running = search(query)
      searches.add(running)
      try {
        return await running
      } finally {
        searches.delete(running)
      }
    },
    async generations(after, limit) {
      const { rows } = await sql<{ id: string; document_id: string; passages: number }>`
        select id, document_id, passages from passage_index.generations
        where id collate "C" > ${after} order by id collate "C" limit ${limit}`.execute(db)
      return rows.map(({ id, document_id, passages }) => ({ id, documentId: document_id, passages }))
    },
    async size(): Promise<IndexSize> {
      const { rows } = await sql<{ generations: number; passages: number; without_vectors: number }>`
        select count(*) as generations, coalesce(sum(passages), 0) as passages,
          count(*) filter (where passages > 0 and not exists
            (select 1 from passage_index.vector_signs where generation = number)) as without_vectors
        from passage_index.generations`.execute(db)
      const [row] = rows
      return {
        generations: Number(row?.generations),
        passages: Number(row?.passages),
        withoutVectors: Number(row?.without_vectors),
      }
    },
    async close() {
      isClosed = true
      await Promise.allSettled(searches)
    },
  }
}

async function replaceVectors(tx: Tx, vectors: readonly PassageVector[]): Promise<void> {
  const ids = vectors.map(({ passageId }) => passageId)
  const { rows } = await sql<{ id: string; number: number; generation: number }>`
    select id, number, generation from passage_index.passages where id = any(${ids}::text[]) for key share`.execute(
    tx,
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  await insertVectors(
    tx,
    vectors.flatMap(({ passageId, embedding }) => {
      const row = known.get(passageId)
      const vector = encodeVector(embedding)
      return row && vector ? [{ passage: Number(row.number), generation: row.generation, vector }] : []
    }),
  )
}
