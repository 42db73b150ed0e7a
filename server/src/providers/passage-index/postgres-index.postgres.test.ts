import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { describePassageIndex } from '#testing/passage-index-compliance.ts'
import { addSamples, passage, space } from '#testing/passage-index-samples.ts'
import { createPgvector } from '#testing/pgvector.ts'
import type { PassageQuery } from './port.ts'
import { createPostgresIndex } from './postgres-index.ts'

const databases: MigratedDatabase[] = []
async function openDatabase(): Promise<MigratedDatabase> {
  const database = await openMigratedDatabase()
  databases.push(database)
  return database
}
afterAll(async () => {
  for (const database of databases) await database.close()
})

async function openDatabaseWithPgvector(): Promise<MigratedDatabase> {
  const database = await openDatabase()
  await createPgvector(database.db)
  return database
}

describePassageIndex('the index of a database with pgvector', async () => {
  const { db } = await openDatabaseWithPgvector()
  return createPostgresIndex(db)
})

describe('pgvector', () => {
  const generation = { id: 'g1', documentId: 'd1', channelId: 'c1' }
  const vectors = Array.from({ length: 400 }, (_, n) =>
    Float32Array.from({ length: 96 }, (_value, at) => Math.sin((n + 1) * (at + 1) * 1.7)),
  )
  const passages = vectors.map((embedding, n) => passage(`p${n}`, 'the anchor', { embedding }))
  function ask(vector = new Float32Array()): PassageQuery {
    const embedding = { space, vector }
    return { channelId: 'c1', generations: ['g1'], text: '', embedding, limit: 10 }
  }

  it('is neither required nor created by us', async () => {
    const { db } = await openDatabase()
    expect((await createPostgresIndex(db)).engine).toBe('PostgreSQL')
    expect((await sql`select 1 from pg_extension where extname = 'vector'`.execute(db)).rows).toEqual([])
  })

  it('is used from the next start on, over the same tables and with the same hits', async () => {
    const { db } = await openDatabase()
    const without = await createPostgresIndex(db)
    await addSamples(without, generation, passages)
    await createPgvector(db)
    const using = await createPostgresIndex(db)
    expect(using.engine).toBe('PostgreSQL with pgvector')
    for (const embedding of vectors.slice(0, 20)) {
      expect(await using.search(ask(embedding))).toEqual(await without.search(ask(embedding)))
    }
  })

  it('is what ranks the sign bits', async () => {
    const { db } = await openDatabaseWithPgvector()
    const index = await createPostgresIndex(db)
    await addSamples(index, generation, passages.slice(0, 1))
    await sql`drop extension vector`.execute(db)
    await expect(index.search(ask(vectors[0]))).rejects.toThrow('operator does not exist')
  })
})

describe('the tables of the index', () => {
  const generation = { id: 'g1', documentId: 'd1', channelId: 'c1' }
  const anchor = passage('p1', 'the anchor')
  const query = { channelId: 'c1', generations: ['g1'], text: 'anchor', embedding: null, limit: 5 }

  it('are created once by servers that start at the same time, which see each other’s passages', async () => {
    const { db } = await openDatabase()
    const [first, second] = await Promise.all([createPostgresIndex(db), createPostgresIndex(db)])
    await addSamples(first, generation, [anchor])
    expect((await second.search(query)).hits).toHaveLength(1)
    await second.drop(['g1'])
    expect((await first.search(query)).hits).toEqual([])
  })

  it('keep their passages over a start, and are recreated when they have another layout', async () => {
    const { db } = await openDatabase()
    await addSamples(await createPostgresIndex(db), generation, [anchor])
    expect((await (await createPostgresIndex(db)).search(query)).hits).toHaveLength(1)
    await sql`update passage_index.layout set version = 0`.execute(db)
    expect((await (await createPostgresIndex(db)).search(query)).hits).toEqual([])
  })

  it('keep no rows of dropped passages', async () => {
    const { db } = await openDatabase()
    const index = await createPostgresIndex(db)
    await addSamples(index, generation, [{ ...anchor, embedding: Float32Array.of(1, 2, 3) }])
    await index.dropChannel('c1')
    for (const table of ['passages', 'vector_signs', 'vector_bytes']) {
      const { rows } = await sql`select * from ${sql.table(`passage_index.${table}`)}`.execute(db)
      expect(rows).toEqual([])
    }
  })
})
