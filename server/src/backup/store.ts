import type { Executor } from '#db/client.ts'

/** An installation that nobody has set up has nothing to lose. */
export const hasPeople = async (db: Executor): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
