import { sql } from 'kysely'
import type { Db, Tx } from '#db/client.ts'
import type { Language } from './languages.ts'
import type { Generation, IndexedPassage, PassageVector } from './port.ts'
import { hashWord, toBits } from './postgres-codes.ts'
import type { VectorCodes } from './vector-codes.ts'
import { encodeVector } from './vector-codes.ts'
import { type WeighedPassage, weighPassages } from './weigh-passages.ts'

/** Small, so that other transactions do not wait long. */
const vectorsPerDeletion = 1000

interface StoredPassage {
  id: string
  words: number[]
  weights: number[]
  terms: Uint8Array
  length: number
}

function toStored(channelId: string, { id, weights, terms, length }: WeighedPassage): StoredPassage {
  const byHash = new Map<number, number>()
  for (const [term, weight] of weights) {
    const word = hashWord(channelId, term)
    byHash.set(word, (byHash.get(word) ?? 0) + weight)
  }
  return {
    id,
    words: [...byHash.keys()],
    weights: [...byHash.values()],
    terms,
    length,
  }
}

async function insertVectors(
  tx: Tx,
  space: number,
  vectors: readonly { passage: number; generation: number; vector: VectorCodes }[],
): Promise<void> {
  if (vectors.length === 0) return
  const passages = vectors.map(({ passage }) => passage)
  const generations = vectors.map(({ generation }) => generation)
  const dimensions = vectors.map(({ vector }) => vector.dimensions)
  const signs = vectors.map(({ vector }) => toBits(vector))
  const bytes = vectors.map(({ vector }) => Buffer.from(vector.bytes.buffer))
  await sql`insert into passage_index.vector_signs (passage, space, generation, dimensions, signs)
    select passage, ${space}::integer, generation, dimensions, signs::bit varying
    from unnest(${passages}::bigint[], ${generations}::integer[], ${dimensions}::integer[], ${signs}::text[])
      as added (passage, generation, dimensions, signs)`.execute(tx)
  await sql`insert into passage_index.vector_bytes (passage, space, dimensions, bytes)
    select passage, ${space}::integer, dimensions, bytes
    from unnest(${passages}::bigint[], ${dimensions}::integer[], ${bytes}::bytea[])
      as added (passage, dimensions, bytes)`.execute(tx)
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
  await sql`insert into passage_index.passages (id, generation, words, weights, terms, length)
    select id, ${generation}::integer, words::integer[], weights::real[], terms, length
    from unnest(${ids}::text[], ${passages.map(({ words }) => `{${words.join()}}`)}::text[],
      ${passages.map(({ weights }) => `{${weights.join()}}`)}::text[],
      ${passages.map(({ terms }) => Buffer.from(terms.buffer))}::bytea[],
      ${passages.map(({ length }) => length)}::integer[]) as added (id, words, weights, terms, length)`.execute(
    tx,
  )
  await sql`update passage_index.generations set
      languages = array(select distinct unnest(languages || ${[...languages]}::text[])),
      (passages, length) = (select count(*), coalesce(sum(length), 0) from passage_index.passages
        where generation = ${generation})
    where number = ${generation}`.execute(tx)
}

/** Locks the passages, so that two calls cannot store vectors of the same one. */
async function replaceVectors(tx: Tx, spaceKey: string, vectors: readonly PassageVector[]): Promise<void> {
  const added = await sql<{ number: number }>`insert into passage_index.spaces (key) values (${spaceKey})
    on conflict (key) do update set key = excluded.key returning number`.execute(tx)
  const space = Number(added.rows[0]?.number)
  const ids = vectors.map(({ passageId }) => passageId)
  const { rows } = await sql<{ id: string; number: number; generation: number }>`
    select id, number, generation from passage_index.passages where id = any(${ids}::text[])
    order by number for update`.execute(tx)
  const known = new Map(rows.map((row) => [row.id, row]))
  const numbers = rows.map(({ number }) => number)
  for (const table of ['vector_signs', 'vector_bytes'])
    await sql`delete from ${sql.table(`passage_index.${table}`)} where passage = any(${numbers}::bigint[]) and space = ${space}`.execute(
      tx,
    )
  await insertVectors(
    tx,
    space,
    vectors.flatMap(({ passageId, embedding }) => {
      const row = known.get(passageId)
      const vector = encodeVector(embedding)
      return row && vector ? [{ passage: Number(row.number), generation: row.generation, vector }] : []
    }),
  )
}

export function createPostgresWriter(db: Db) {
  return {
    async add(generation: Generation, passages: readonly IndexedPassage[]): Promise<void> {
      const weighed = await weighPassages(passages)
      const stored = weighed.map((passage) => toStored(generation.channelId, passage))
      const languages = [...new Set(weighed.map(({ language }) => language))]
      await db.transaction().execute((tx) => insertPassages(tx, generation, stored, languages))
    },
    addVectors(space: string, vectors: readonly PassageVector[]): Promise<void> {
      return db.transaction().execute((tx) => replaceVectors(tx, space, vectors))
    },
    /** Removes a batch of vectors of a space. Returns false when none are left. */
    async dropVectors(space: string): Promise<boolean> {
      const { rows } = await sql<{ passages: number }>`
        with gone as (delete from passage_index.vector_signs where (passage, space) in (
            select passage, space from passage_index.vector_signs
            where space = (select number from passage_index.spaces where key = ${space}) limit ${vectorsPerDeletion})
          returning passage, space),
        bytes as (delete from passage_index.vector_bytes using gone
          where vector_bytes.passage = gone.passage and vector_bytes.space = gone.space)
        select count(*) as passages from gone`.execute(db)
      return Number(rows[0]?.passages) > 0
    },
    async drop(ids: readonly string[]): Promise<void> {
      await sql`delete from passage_index.generations where id = any(${[...ids]}::text[])`.execute(db)
    },
    async dropChannel(channelId: string): Promise<void> {
      await sql`delete from passage_index.generations where channel_id = ${channelId}`.execute(db)
    },
  }
}
