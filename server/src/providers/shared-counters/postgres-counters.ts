import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { databaseNow, takeUnlocked } from '#db/dialect.ts'
import type { SharedCounters } from './port.ts'

/** Counters in an unlogged table. */
export function createPostgresCounters(db: Db, now: () => number): SharedCounters {
  return {
    isQuick: false,
    async add(counts) {
      const time = databaseNow(db, now())
      const rows = counts
        .map(({ key, count, remaining }) => ({ key, count, ends_at: sql<number>`${time} + ${remaining}` }))
        // Servers that lock rows in different orders could wait for each other.
        .sort((a, b) => (a.key < b.key ? -1 : 1))
      const stored = await db
        .insertInto('rate_counters')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => {
            const hasEnded = eb('rate_counters.ends_at', '<=', time)
            const added = eb('excluded.count', '+', eb.ref('rate_counters.count'))
            return {
              count: eb.case().when(hasEnded).then(eb.ref('excluded.count')).else(added).end(),
              ends_at: eb
                .case()
                .when(hasEnded)
                .then(eb.ref('excluded.ends_at'))
                .else(eb.ref('rate_counters.ends_at'))
                .end(),
            }
          }),
        )
        .returning((eb) => ['key', 'count', eb('ends_at', '-', time).as('remaining')])
        .execute()
      return stored
    },
    async removeEnded() {
      const ended = db
        .selectFrom('rate_counters')
        .select('key')
        .where('ends_at', '<=', databaseNow(db, now()))
      await db.deleteFrom('rate_counters').where('key', 'in', takeUnlocked(db, ended)).execute()
    },
  }
}
