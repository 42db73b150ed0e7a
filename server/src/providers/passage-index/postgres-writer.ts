import { sql } from 'kysely'
import type { Db, Tx } from '#db/client.ts'
import type { Language } from './languages.ts'
import type { Generation, IndexedPassage, PassageVector } from './port.ts'
import { hashWord, toBits } from './postgres-codes.ts'
import type { VectorCodes } from './vector-codes.ts'
import { encodeVector } from './vector-codes.ts'
import { type WeighedPassage, weighPassages } from './weigh-passages.ts'

interface StoredPassage {
  id: string
  words: number[]
  weights: number[]
  terms: Uint8Array
  length: number
  vector: VectorCodes | null
}

function toStored(
  channelId: string,
  { id, weights, terms, length, embedding }: WeighedPassage,
): StoredPassage {
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
    vector: embedding && encodeVector(embedding),
  }
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
      as added (passage, generation, dimensions, signs)`.execute(tx)
  await sql`insert into passage_index.vector_bytes (passage, dimensions, bytes)
    select * from unnest(${passages}::bigint[], ${dimensions}::integer[], ${bytes}::bytea[])`.execute(tx)
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
    insert into passage_index.passages (id, generation, words, weights, terms, length)
    select id, ${generation}::integer, words::integer[], weights::real[], terms, length
    from unnest(${ids}::text[], ${passages.map(({ words }) => `{${words.join()}}`)}::text[],
      ${passages.map(({ weights }) => `{${weights.join()}}`)}::text[],
      ${passages.map(({ terms }) => Buffer.from(terms.buffer))}::bytea[],
      ${passages.map(({ length }) => length)}::integer[]) as added (id, words, weights, terms, length)
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

/** Locks the passages, so that two calls cannot store vectors of the same one. */
async function replaceVectors(tx: Tx, vectors: readonly PassageVector[]): Promise<void> {
  const ids = vectors.map(({ passageId }) => passageId)
  const { rows } = await sql<{ id: string; number: number; generation: number }>`
    select id, number, generation from passage_index.passages where id = any(${ids}::text[])
    order by number for update`.execute(tx)
  const known = new Map(rows.map((row) => [row.id, row]))
  const numbers = rows.map(({ number }) => number)
  for (const table of ['vector_signs', 'vector_bytes'])
    await sql`delete from ${sql.table(`passage_index.${table}`)} where passage = any(${numbers}::bigint[])`.execute(
      tx,
    )
  await insertVectors(
    tx,
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
    addVectors(vectors: readonly PassageVector[]): Promise<void> {
      return db.transaction().execute((tx) => replaceVectors(tx, vectors))
    },
    async drop(ids: readonly string[]): Promise<void> {
      await sql`delete from passage_index.generations where id = any(${[...ids]}::text[])`.execute(db)
    },
    async dropChannel(channelId: string): Promise<void> {
      await sql`delete from passage_index.generations where channel_id = ${channelId}`.execute(db)
    },
  }
}
