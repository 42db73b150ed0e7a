import type { Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type TrustedBrowserRow = Selectable<Database['trusted_browsers']>

export function findTrustedBrowser(
  db: Executor,
  tokenHash: string,
  userId: string,
): Promise<TrustedBrowserRow | undefined> {
  return db
    .selectFrom('trusted_browsers')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function touchTrustedBrowser(db: Executor, id: string, now: number): Promise<void> {
  await db.updateTable('trusted_browsers').set({ last_used_at: now }).where('id', '=', id).execute()
}

export async function insertTrustedBrowser(tx: Tx, row: TrustedBrowserRow): Promise<void> {
  await tx.insertInto('trusted_browsers').values(row).execute()
}

/** Trusted browsers of the user's current epoch that were trusted after a given time. */
export function listTrustedBrowsers(
  db: Executor,
  { userId, epoch, since }: { userId: string; epoch: number; since: number },
): Promise<TrustedBrowserRow[]> {
  return db
    .selectFrom('trusted_browsers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('epoch', '=', epoch)
    .where('created_at', '>', since)
    .orderBy('last_used_at', 'desc')
    .execute()
}

export async function deleteTrustedBrowser(db: Executor, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('trusted_browsers')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Keeps the browsers in which the user most recently entered a code. */
export async function deleteOldestTrustedBrowsers(tx: Tx, userId: string, keep: number): Promise<void> {
  await tx
    .deleteFrom('trusted_browsers')
    .where('user_id', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('trusted_browsers')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(keep),
    )
    .execute()
}

export async function deleteBrowserSessions(db: Executor, userId: string, browserId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('browser_id', '=', browserId).execute()
}

export async function deleteOldTrustedBrowsers(db: Executor, before: number): Promise<void> {
  await db.deleteFrom('trusted_browsers').where('created_at', '<', before).execute()
}

export async function isKnownBrowser(
  db: Executor,
  { tokenHash, email, since }: { tokenHash: string; email: string; since: number },
): Promise<boolean> {
  const found = await db
    .selectFrom('known_browsers')
    .innerJoin('users', 'users.id', 'known_browsers.user_id')
    .select('users.id')
    .where('known_browsers.token_hash', '=', tokenHash)
    .where('users.email', '=', email)
    .where('known_browsers.last_used_at', '>', since)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether any user signed in with this browser recently. */
export async function isBrowserInUse(db: Executor, tokenHash: string, since: number): Promise<boolean> {
  const found = await db
    .selectFrom('known_browsers')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('last_used_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns false if the browser is not, or no longer, known for this user. */
export async function touchKnownBrowser(
  tx: Tx,
  { tokenHash, userId, since, now }: { tokenHash: string; userId: string; since: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('known_browsers')
    .set({ last_used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .where('last_used_at', '>', since)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertKnownBrowser(
  tx: Tx,
  tokenHash: string,
  userId: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto('known_browsers')
    .values({ token_hash: tokenHash, user_id: userId, created_at: now, last_used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['token_hash', 'user_id']).doUpdateSet({ created_at: now, last_used_at: now }),
    )
    .execute()
}

export async function deleteOldestKnownBrowsers(tx: Tx, userId: string, keep: number): Promise<void> {
  await tx
    .deleteFrom('known_browsers')
    .where('user_id', '=', userId)
    .where('token_hash', 'not in', (eb) =>
      eb
        .selectFrom('known_browsers')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('token_hash')
        .limit(keep),
    )
    .execute()
}

export async function deleteUnusedKnownBrowsers(db: Executor, before: number): Promise<void> {
  await db.deleteFrom('known_browsers').where('last_used_at', '<', before).execute()
}
