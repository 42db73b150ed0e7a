import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { databaseNow, takeUnlocked } from '#db/dialect.ts'

/** The requests of one caller in the current window of a limit. */
export interface CallerCount {
  /** Names the limit and the caller. */
  key: string
  count: number
  /** Milliseconds until the window ends. */
  remaining: number
}

/** Counts requests for all servers of a cluster. */
export interface SharedCounters {
  /** Adds the counts of this server, each with a different key, and returns those of all servers. */
  add: (counts: readonly CallerCount[]) => Promise<CallerCount[]>
  removeEnded: () => Promise<void>
}

/**
 * A window begins with the first count that arrives after the previous one. The servers exchange how long it lasts
 * rather than when it ends, because their clocks may differ.
 */
export function createSharedCounters(db: Db, now: () => number): SharedCounters {
  return {
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
