import type { Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type EmbeddedSignInRow = Selectable<Database['embedded_sign_ins']>

function selectActive(db: Executor, now: number) {
  return db
    .selectFrom('embedded_sign_ins')
    .innerJoin('users', 'users.id', 'embedded_sign_ins.user_id')
    .where('users.deleted_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .where('embedded_sign_ins.expires_at', '>', now)
}

/** The active sign-in with its user, in one query because every request runs it. */
export function findEmbeddedSignInWithUser(db: Executor, tokenHash: string, now: number) {
  return selectActive(db, now)
    .select(['users.id', 'users.name', 'users.email', 'users.visitor_channel_id'])
    .select([
      'embedded_sign_ins.id as sign_in_id',
      'embedded_sign_ins.channel_id',
      'embedded_sign_ins.last_seen_at',
    ])
    .where('embedded_sign_ins.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Returns the ids of the sign-ins that are still active. */
export async function findActiveEmbeddedIds(
  db: Executor,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await selectActive(db, now)
    .select('embedded_sign_ins.id')
    .where('embedded_sign_ins.id', 'in', [...new Set(ids)])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function touchEmbeddedSignIn(db: Executor, id: string, now: number): Promise<void> {
  await db.updateTable('embedded_sign_ins').set({ last_seen_at: now }).where('id', '=', id).execute()
}

/** Newest first. */
export function listEmbeddedSignIns(db: Executor, userId: string, now: number): Promise<EmbeddedSignInRow[]> {
  return db
    .selectFrom('embedded_sign_ins')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
}

export async function deleteEmbeddedSignIn(db: Executor, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('embedded_sign_ins')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteExpiredEmbeddedSignIns(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('embedded_sign_ins').where('expires_at', '<', now).execute()
}
