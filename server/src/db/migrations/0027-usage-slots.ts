import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

const counts = ['people', 'messages', 'asked', 'replies', 'refusals', 'failures', 'quoted', 'good', 'bad']
const waits = Array.from({ length: 12 }, (_, at) => `wait_${at}`)
const tokens = ['input_tokens', 'output_tokens']

const tables = {
  usage_days: {
    keys: ['channel_id', 'day', 'model'],
    integers: [...counts, ...waits],
    bigIntegers: tokens,
  },
  citation_days: { keys: ['channel_id', 'document_id', 'day'], integers: ['citations'], bigIntegers: [] },
}

/**
 * Divides the counts of a day into slots, which are added up when they are read. The existing counts become the first
 * slot. SQLite cannot change a primary key, so the rows move to a new table on both databases.
 */
export const usageSlots: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    for (const [name, { keys, integers, bigIntegers }] of Object.entries(tables)) {
      const hasDefaults = name === 'usage_days'
      const earlier = `earlier_${name}`
      await schema.alterTable(name).renameTo(earlier).execute()
      let table = schema.createTable(name)
      for (const key of keys) table = table.addColumn(key, 'text', (c) => c.notNull())
      table = table.addColumn('slot', 'integer', (c) => c.notNull().defaultTo(0))
      for (const column of integers)
        table = table.addColumn(column, 'integer', (c) =>
          hasDefaults ? c.notNull().defaultTo(0) : c.notNull(),
        )
      for (const column of bigIntegers)
        table = table.addColumn(column, type.time, (c) => c.notNull().defaultTo(0))
      await type
        .clusteredByKey(table.addPrimaryKeyConstraint(`${name}_slots`, [...keys, 'slot'] as never))
        .execute()
      const columns = sql.join([...keys, ...integers, ...bigIntegers].map((column) => sql.ref(column)))
      await sql`insert into ${sql.table(name)} (${columns}) select ${columns} from ${sql.table(earlier)}`.execute(
        db,
      )
      await schema.dropTable(earlier).execute()
    }
  },
}
