import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type UserRow = Selectable<Database['users']>
export type SessionRow = Selectable<Database['sessions']>

export const findUserByEmail = (db: Executor, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const findUser = (db: Executor, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

export const countUsers = async (db: Executor): Promise<number> => {
  const { users } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
  return users
}

export const insertUser = async (db: Executor, user: Insertable<Database['users']>): Promise<void> => {
  await db.insertInto('users').values(user).execute()
}

export const channelIdsOf = async (db: Executor, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('channel_members')
    .select('channel_id')
    .where('user_id', '=', userId)
    .orderBy('channel_id')
    .limit(500)
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}

export const insertSession = async (db: Executor, session: SessionRow): Promise<void> => {
  await db.insertInto('sessions').values(session).execute()
}

/** The living session with its person, in one query: every request asks this. */
export const findSessionWithUser = (
  db: Executor,
  sessionId: string,
  userId: string,
  now: number,
  idleSince: number,
) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select('sessions.last_seen_at')
    .where('sessions.id', '=', sessionId)
    .where('users.id', '=', userId)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', idleSince)
    .executeTakeFirst()

export const touchSession = async (db: Executor, sessionId: string, now: number): Promise<void> => {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute()
}

export const sessionsOf = (db: Executor, userId: string, now: number): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(50)
    .execute()

export const deleteSession = async (db: Executor, userId: string, sessionId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Keeps a person's newest sessions and drops the rest. */
export const dropOldestSessions = async (db: Executor, userId: string, keep: number): Promise<void> => {
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

export const deleteExpiredSessions = async (db: Executor, now: number): Promise<void> => {
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute()
}

export const readCounter = (db: Executor, key: string) =>
  db.selectFrom('sign_in_counters').selectAll().where('key', '=', key).executeTakeFirst()

/** Counts a failure; a window that has passed begins anew. */
export const countFailure = async (db: Executor, key: string, now: number, window: number): Promise<void> => {
  await db
    .insertInto('sign_in_counters')
    .values({ key, failures: 1, window_started_at: now, last_failure_at: now })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        failures: eb
          .case()
          .when('sign_in_counters.window_started_at', '<', now - window)
          .then(1)
          .else(eb('sign_in_counters.failures', '+', 1))
          .end(),
        window_started_at: eb
          .case()
          .when('sign_in_counters.window_started_at', '<', now - window)
          .then(now)
          .else(eb.ref('sign_in_counters.window_started_at'))
          .end(),
        last_failure_at: now,
      })),
    )
    .execute()
}

export const clearCounter = async (db: Executor, key: string): Promise<void> => {
  await db.deleteFrom('sign_in_counters').where('key', '=', key).execute()
}

export const deleteOldCounters = async (db: Executor, before: number): Promise<void> => {
  await db.deleteFrom('sign_in_counters').where('last_failure_at', '<', before).execute()
}
