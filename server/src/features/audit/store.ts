import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type AuditRow = Selectable<Database['audit_log']>

/** What the first entry of all follows on. */
export const beginning = '0'.repeat(64)

export const lastHash = async (db: Executor): Promise<string> => {
  const last = await db
    .selectFrom('audit_log')
    .select('hash')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.hash ?? beginning
}

export const insertEntry = async (db: Executor, entry: Insertable<Database['audit_log']>): Promise<void> => {
  await db.insertInto('audit_log').values(entry).execute()
}
