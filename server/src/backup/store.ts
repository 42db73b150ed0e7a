import type { Executor } from '#db/client.ts'

/** An installation that nobody has set up has nothing to lose. */
export async function hasPeople(db: Executor): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** What the newest entry of a restore says of its backup; null where there is none. */
export async function newestRestore(db: Executor): Promise<string | null> {
  const entry = await db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'backup.restored')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return entry?.after ?? null
}
