import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import type { Filter } from './filter.ts'
import { type FilterColumns, toCondition } from './filter-sql.ts'

const columns: FilterColumns = {
  id: { type: 'text', column: sql.ref('users.id'), isExact: true },
  externalid: { type: 'text', column: sql.ref('link.external_id'), isExact: true },
  username: { type: 'text', column: sql.ref('link.user_name_key'), isFolded: true },
  displayname: { type: 'text', column: sql.ref('link.display_name') },
  'name.formatted': { type: 'text', column: sql.ref('link.formatted_name') },
  'name.givenname': { type: 'text', column: sql.ref('link.given_name') },
  'name.familyname': { type: 'text', column: sql.ref('link.family_name') },
  emails: { type: 'text', column: sql.ref('users.email'), isFolded: true },
  'emails.value': { type: 'text', column: sql.ref('users.email'), isFolded: true },
  'emails.type': { type: 'text', column: sql`coalesce(${sql.ref('link.email_type')}, 'work')` },
  active: { type: 'boolean', isTrue: sql`${sql.ref('users.deactivated_at')} is null` },
  'meta.created': { type: 'time', column: sql.ref('link.created_at') },
  'meta.lastmodified': { type: 'time', column: sql.ref('link.updated_at') },
}

function selectUsers(db: Executor, directoryId: string) {
  return db
    .selectFrom('directory_users as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .where('link.directory_id', '=', directoryId)
}

const linkColumns = [
  'link.user_name',
  'link.external_id',
  'link.display_name',
  'link.formatted_name',
  'link.given_name',
  'link.family_name',
  'link.email_type',
  'link.is_email_primary',
  'link.created_at',
  'link.updated_at',
] as const
const userColumns = [
  'users.id',
  'users.name',
  'users.email',
  'users.role',
  'users.password_hash',
  'users.deactivated_at',
] as const

export type DirectoryUser = Selectable<
  Pick<
    Database['directory_users'],
    | 'user_name'
    | 'external_id'
    | 'display_name'
    | 'formatted_name'
    | 'given_name'
    | 'family_name'
    | 'email_type'
    | 'is_email_primary'
    | 'created_at'
    | 'updated_at'
  > &
    Pick<Database['users'], 'id' | 'name' | 'email' | 'role' | 'password_hash' | 'deactivated_at'>
>

/** A user whom the directory manages. */
export function findDirectoryUser(
  db: Executor,
  directoryId: string,
  userId: string,
): Promise<DirectoryUser | undefined> {
  return selectUsers(db, directoryId)
    .select([...linkColumns, ...userColumns])
    .where('link.user_id', '=', userId)
    .executeTakeFirst()
}

function filterUsers(db: Executor, directoryId: string, filter: Filter | null) {
  const users = selectUsers(db, directoryId)
  return filter === null ? users : users.where(toCondition(filter, columns))
}

/** A page of the users whom the directory manages. */
export function selectUserPage(
  db: Executor,
  directoryId: string,
  { filter, startIndex, count }: { filter: Filter | null; startIndex: number; count: number },
) {
  return filterUsers(db, directoryId, filter)
    .select([...linkColumns, ...userColumns])
    .orderBy('link.user_id')
    .limit(count)
    .offset(startIndex - 1)
}

export async function countDirectoryUsers(
  db: Executor,
  directoryId: string,
  filter: Filter | null,
): Promise<number> {
  // Without a filter, the join would read all of them.
  const all =
    filter === null
      ? db.selectFrom('directory_users as link').where('link.directory_id', '=', directoryId)
      : filterUsers(db, directoryId, filter)
  const { count } = await all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

export async function findUserIdByUserName(
  db: Executor,
  directoryId: string,
  userName: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('directory_users')
    .select('user_id')
    .where('directory_id', '=', directoryId)
    .where('user_name_key', '=', userName.toLowerCase())
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** Whether any directory manages the user. */
export async function isManaged(db: Executor, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('directory_users')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertDirectoryUser(
  tx: Tx,
  user: Insertable<Database['directory_users']>,
): Promise<void> {
  await tx.insertInto('directory_users').values(user).execute()
}

export async function updateDirectoryUser(
  tx: Tx,
  userId: string,
  changes: Updateable<Database['directory_users']>,
): Promise<void> {
  await tx.updateTable('directory_users').set(changes).where('user_id', '=', userId).execute()
}

export async function deleteDirectoryUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('directory_users').where('user_id', '=', userId).execute()
}

/** Those of these users whom the directory manages. */
export async function findManagedIds(
  db: Executor,
  directoryId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('directory_users')
    .select('user_id')
    .where('directory_id', '=', directoryId)
    .where('user_id', 'in', userIds)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}
