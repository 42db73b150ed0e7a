import type { Executor } from '#db/client.ts'

/** Without users the installation is not set up, so there is nothing to back up. */
export async function hasAnyUser(db: Executor): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The details of the newest restore in the audit log; null if there is none. */
export async function findNewestRestore(db: Executor): Promise<string | null> {
  const entry = await db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'backup.restored')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return entry?.after ?? null
}
