import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
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

describe('the tables of the index', () => {
  const generation = { id: 'g1', documentId: 'd1', channelId: 'c1' }
  const passage = { id: 'p1', title: '', headingPath: [], text: 'the anchor', embedding: null }
  const query = { channelId: 'c1', generations: ['g1'], text: 'anchor', embedding: null, limit: 5 }

  it('are created once by servers that start at the same time, which see each other’s passages', async () => {
    const { db } = await openDatabase()
    const [first, second] = await Promise.all([createPostgresIndex(db), createPostgresIndex(db)])
    await first.add(generation, [passage])
    expect((await second.search(query)).hits).toHaveLength(1)
    await second.drop(['g1'])
    expect((await first.search(query)).hits).toEqual([])
  })

  it('keep their passages over a start, and are recreated when they have another layout', async () => {
    const { db } = await openDatabase()
    await (await createPostgresIndex(db)).add(generation, [passage])
    expect((await (await createPostgresIndex(db)).search(query)).hits).toHaveLength(1)
    await sql`update passage_index.layout set version = 0`.execute(db)
    expect((await (await createPostgresIndex(db)).search(query)).hits).toEqual([])
  })

  it('keep no rows of dropped passages', async () => {
    const { db } = await openDatabase()
    const index = await createPostgresIndex(db)
    await index.add(generation, [{ ...passage, embedding: Float32Array.of(1, 2, 3) }])
    await index.dropChannel('c1')
    for (const table of ['passages', 'vector_signs', 'vector_bytes']) {
      const { rows } = await sql`select * from ${sql.table(`passage_index.${table}`)}`.execute(db)
      expect(rows).toEqual([])
    }
  })
})
