import { type Insertable, type Selectable, sql } from 'kysely'
import { selectAccounts } from '#db/accounts.ts'
import type { Db, Executor, Tx } from '#db/client.ts'
import { takeUnlocked } from '#db/dialect.ts'
import { lockRow } from '#db/lock-row.ts'
import type { Flag } from '#db/schema/column.ts'
import type { Database } from '#db/schema.ts'

export type UserRow = Selectable<Database['users']>
export type SessionRow = Selectable<Database['sessions']>

export function findUserByEmail(db: Executor, email: string): Promise<UserRow | undefined> {
  return selectAccounts(db).selectAll().where('email', '=', email).executeTakeFirst()
}

export function findUserById(db: Executor, id: string): Promise<UserRow | undefined> {
  return selectAccounts(db).selectAll().where('id', '=', id).executeTakeFirst()
}

const credentials = [
  'password_hash',
  'two_factor_epoch',
  'must_verify',
  'deleted_at',
  'deactivated_at',
] as const

/**
 * Locks a user. Returns false if their credentials have changed since `user` was read: the password, or the
 * epoch that ends sessions and trusted browsers.
 */
export async function lockUnchangedUser(tx: Tx, user: UserRow): Promise<boolean> {
  const current = await lockRow(tx, 'users', user.id)
  return current !== undefined && credentials.every((column) => current[column] === user[column])
}

/** Records a complete sign-in, which included a code if one was required. */
export async function recordSignIn(tx: Tx, userId: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ last_seen_at: now, must_verify: 0 }).where('id', '=', userId).execute()
}

export async function hasAnyUser(db: Executor): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export type NewUser = Omit<Insertable<Database['users']>, 'is_system_admin'> & { is_system_admin?: Flag }

export function insertUser(db: Executor, user: NewUser): Promise<UserRow> {
  return db
    .insertInto('users')
    .values({ is_system_admin: 0, ...user })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function listChannelIds(db: Executor, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('channel_members')
    .select('channel_id')
    .where('user_id', '=', userId)
    .orderBy('channel_id')
    .limit(500)
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}

export async function insertSession(db: Executor, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** The active session with its user, in one query because every request runs it. */
export function findSessionWithUser(
  db: Executor,
  sessionId: string,
  userId: string,
  now: number,
  idleSince: number,
) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select('sessions.last_seen_at')
    .where('sessions.id', '=', sessionId)
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', idleSince)
    .executeTakeFirst()
}

/** Returns the ids of the sessions that are still active, in one query. */
export async function findActiveSessionIds(
  db: Executor,
  sessionIds: readonly string[],
  now: number,
  idleSince: number,
): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.id', 'in', [...new Set(sessionIds)])
    .where('users.deleted_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', idleSince)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const touchesPerStatement = 1000

/**
 * Records when sessions were last seen, if that is later than what is known and the session still exists. Passes over
 * sessions that another transaction is changing, because servers that write the same sessions could deadlock. Their time
 * is recorded with their next request.
 */
export async function touchSessions(db: Db, seen: readonly (readonly [string, number])[]): Promise<void> {
  for (let index = 0; index < seen.length; index += touchesPerStatement) {
    const rows = seen
      .slice(index, index + touchesPerStatement)
      .map(([id, at]) => sql`(cast(${id} as text), cast(${at} as bigint))`)
    const sessions = db.selectFrom('sessions').select('id').where(sql<boolean>`id in (select id from seen)`)
    await sql`with seen(id, at) as (values ${sql.join(rows)})
      update sessions set last_seen_at = seen.at from seen
      where sessions.id = seen.id and sessions.last_seen_at < seen.at
        and sessions.id in (${takeUnlocked(db, sessions)})`.execute(db)
  }
}

export function listSessions(
  db: Executor,
  userId: string,
  now: number,
  idleSince: number,
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .orderBy('created_at', 'desc')
    .limit(50)
    .execute()
}

export async function deleteSession(db: Executor, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Keeps a user's newest sessions and deletes the others. */
export async function deleteOldestSessions(db: Executor, userId: string, keep: number): Promise<void> {
  const kept = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(keep)
    .execute()
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(
      'id',
      'not in',
      kept.map(({ id }) => id),
    )
    .execute()
}

export async function deleteExpiredSessions(db: Executor, now: number, idleSince: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('last_seen_at', '<=', idleSince)]))
    .execute()
}
