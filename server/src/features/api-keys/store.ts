import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type ApiKeyRow = Selectable<Database['api_keys']>
export type ListedApiKey = Omit<ApiKeyRow, 'key_hash'> & {
  created_by_name: string | null
  /** Only of keys that an administrator revoked. */
  revoked_at?: number
  revoked_by_name?: string | null
}

export async function insertApiKey(tx: Tx, key: Insertable<Database['api_keys']>): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute()
}

/** The keys of a user that have not ended, newest first. */
export function listApiKeys(
  db: Executor,
  userId: string,
  now: number,
  limit: number,
): Promise<ListedApiKey[]> {
  return db
    .selectFrom('api_keys')
    .leftJoin('users as creators', 'creators.id', 'api_keys.created_by')
    .selectAll('api_keys')
    .select('creators.name as created_by_name')
    .where('api_keys.user_id', '=', userId)
    .where('api_keys.expires_at', '>', now)
    .orderBy('api_keys.id', 'desc')
    .limit(limit)
    .execute()
}

/** Remembers that an administrator revoked the key. */
export async function insertRevokedApiKey(
  tx: Tx,
  { key_hash: _, ...key }: ApiKeyRow,
  { by, at }: { by: string; at: number },
): Promise<void> {
  await tx
    .insertInto('revoked_api_keys')
    .values({ ...key, revoked_by: by, revoked_at: at })
    .execute()
}

/** The keys of a user that administrators have revoked, latest first. */
export function listRevokedApiKeys(db: Executor, userId: string, limit: number): Promise<ListedApiKey[]> {
  return db
    .selectFrom('revoked_api_keys as key')
    .leftJoin('users as creators', 'creators.id', 'key.created_by')
    .leftJoin('users as revokers', 'revokers.id', 'key.revoked_by')
    .selectAll('key')
    .select(['creators.name as created_by_name', 'revokers.name as revoked_by_name'])
    .where('key.user_id', '=', userId)
    .orderBy('key.revoked_at', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteRevokedApiKeys(db: Executor, before: number): Promise<void> {
  await db.deleteFrom('revoked_api_keys').where('revoked_at', '<=', before).execute()
}

/** The key that has this hash and has not ended, with its user. */
export function findKeyWithUser(db: Executor, keyHash: string, now: number) {
  return db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['users.id', 'users.name', 'users.email'])
    .select(['api_keys.id as key_id', 'api_keys.scopes', 'api_keys.channel_ids', 'api_keys.last_used_at'])
    .where('api_keys.key_hash', '=', keyHash)
    .where('api_keys.expires_at', '>', now)
    .where('users.deleted_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .executeTakeFirst()
}

export async function isApiKeyActive(db: Executor, id: string, now: number): Promise<boolean> {
  const found = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select('api_keys.id')
    .where('api_keys.id', '=', id)
    .where('api_keys.expires_at', '>', now)
    .where('users.deleted_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function touchApiKey(db: Executor, id: string, now: number): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute()
}

export async function countApiKeys(tx: Tx, userId: string, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the deleted key; undefined if the user has no such key. */
export function deleteApiKey(tx: Tx, userId: string, id: string): Promise<ApiKeyRow | undefined> {
  return tx
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteExpiredApiKeys(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('api_keys').where('expires_at', '<=', now).execute()
}
