import type { Insertable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

/** The directories with their keys, and how many users and groups each manages. */
export function listDirectoryRows(db: Executor) {
  return db
    .selectFrom('directories')
    .leftJoin('directory_keys as key', 'key.directory_id', 'directories.id')
    .select(['directories.id', 'directories.name', 'directories.created_at'])
    .select(['key.prefix', 'key.created_at as key_created_at', 'key.last_used_at'])
    .select((eb) => [
      eb
        .selectFrom('directory_users')
        .select((user) => user.fn.countAll<number>().as('count'))
        .whereRef('directory_users.directory_id', '=', 'directories.id')
        .as('users'),
      eb
        .selectFrom('directory_groups')
        .select((group) => group.fn.countAll<number>().as('count'))
        .whereRef('directory_groups.directory_id', '=', 'directories.id')
        .as('groups'),
    ])
    .orderBy('directories.id')
    .execute()
}

export function findDirectory(db: Executor, id: string) {
  return db
    .selectFrom('directories')
    .leftJoin('directory_keys as key', 'key.directory_id', 'directories.id')
    .select(['directories.id', 'directories.name', 'key.prefix'])
    .where('directories.id', '=', id)
    .executeTakeFirst()
}

export async function countDirectories(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('directories')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertDirectory(tx: Tx, directory: Insertable<Database['directories']>): Promise<void> {
  await tx.insertInto('directories').values(directory).execute()
}

/** Also forgets which users and groups it manages. */
export async function deleteDirectory(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('directories').where('id', '=', id).execute()
}

export async function insertKey(tx: Tx, key: Insertable<Database['directory_keys']>): Promise<void> {
  await tx.insertInto('directory_keys').values(key).execute()
}

export async function deleteKey(tx: Tx, directoryId: string): Promise<void> {
  await tx.deleteFrom('directory_keys').where('directory_id', '=', directoryId).execute()
}

/** The directory that has the key with this hash. */
export function findDirectoryWithKey(db: Executor, keyHash: string) {
  return db
    .selectFrom('directory_keys')
    .innerJoin('directories', 'directories.id', 'directory_keys.directory_id')
    .select(['directories.id', 'directories.name', 'directory_keys.last_used_at'])
    .where('directory_keys.key_hash', '=', keyHash)
    .executeTakeFirst()
}

export async function touchKey(db: Executor, directoryId: string, now: number): Promise<void> {
  await db
    .updateTable('directory_keys')
    .set({ last_used_at: now })
    .where('directory_id', '=', directoryId)
    .execute()
}
