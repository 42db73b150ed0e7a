import type { Role } from '@lyceum/contract/permissions'
import type { UserStatus, userSortColumns } from '@lyceum/contract/users'
import { type Selectable, sql, type Updateable } from 'kysely'
import { isAccount, selectAccounts } from '#db/accounts.ts'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import { lockRow, lockRows } from '#db/lock-row.ts'
import { byHand } from '#db/membership-source.ts'
import type { Database } from '#db/schema.ts'
import { contains } from '#db/text-match.ts'

export type UserRow = Selectable<Database['users']>

export function findUser(db: Executor, id: string): Promise<UserRow | undefined> {
  return selectAccounts(db).selectAll().where('id', '=', id).executeTakeFirst()
}

export interface UserFilter {
  /** Part of a name or an email address; empty for all. */
  search: string
  role: Role | undefined
  status: UserStatus | undefined
  groupId: string | undefined
  exceptGroupId: string | undefined
}

function filterUsers(db: Executor, { search, role, status, groupId, exceptGroupId }: UserFilter) {
  let users = selectAccounts(db)
  if (role !== undefined) users = users.where('role', '=', role)
  if (status !== undefined) users = users.where('deactivated_at', status === 'active' ? 'is' : 'is not', null)
  if (groupId !== undefined)
    users = users.where('id', 'in', (eb) =>
      eb.selectFrom('group_members').select('user_id').where('group_id', '=', groupId),
    )
  if (exceptGroupId !== undefined)
    users = users.where('id', 'not in', (eb) =>
      eb
        .selectFrom('group_members')
        .select('user_id')
        .where('group_id', '=', exceptGroupId)
        .where('source', '=', byHand),
    )
  return search === ''
    ? users
    : users.where((eb) => eb.or([contains(eb.ref('name'), search), contains(eb.ref('email'), search)]))
}

export interface UserOrder {
  sortBy: (typeof userSortColumns)[number]
  sortOrder: 'asc' | 'desc'
}

/** Users who have never signed in count as the earliest on both databases. */
const sortKeys = {
  name: sql.ref('name'),
  lastSignInAt: sql`coalesce(last_seen_at, 0)`,
  createdAt: sql.ref('created_at'),
}

export function listUsers(
  db: Executor,
  filter: UserFilter,
  { sortBy, sortOrder }: UserOrder,
  { limit, skip }: { limit: number; skip: number },
): Promise<UserRow[]> {
  return filterUsers(db, filter)
    .selectAll()
    .orderBy(sortKeys[sortBy], sortOrder)
    .orderBy('id', sortOrder)
    .limit(limit)
    .offset(skip)
    .execute()
}

export async function countUsers(db: Executor, filter: UserFilter): Promise<number> {
  const { users } = await filterUsers(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
  return users
}

/** The channels of several users, in one query. */
export async function listChannelIdsByUser(
  db: Executor,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('channel_members')
    .select(['user_id', 'channel_id'])
    .where('user_id', 'in', userIds)
    .orderBy('channel_id')
    .execute()
  const byUser = new Map<string, string[]>()
  for (const { user_id, channel_id } of rows) {
    const channels = byUser.get(user_id)
    if (channels) channels.push(channel_id)
    else byUser.set(user_id, [channel_id])
  }
  return byUser
}

/** Counts what belongs to a user and names who last deactivated them, in one query. */
export function countUserData(db: Executor, userId: string, now: number) {
  return db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('chats')
        .select((chat) => chat.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .$asScalar()
        .as('chats'),
      eb
        .selectFrom('documents')
        .select((document) => document.fn.countAll<number>().as('count'))
        .where('uploaded_by', '=', userId)
        .$asScalar()
        .as('documents'),
      eb
        .selectFrom('sessions')
        .select((session) => session.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .$asScalar()
        .as('sessions'),
      eb
        .selectFrom('embedded_sign_ins')
        .select((signIn) => signIn.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .$asScalar()
        .as('embeddedSignIns'),
      eb
        .selectFrom('directory_users')
        .innerJoin('directories', 'directories.id', 'directory_users.directory_id')
        .select('directories.name')
        .where('directory_users.user_id', '=', userId)
        .$asScalar()
        .as('directoryName'),
      // One step in an index, however long the log is.
      eb
        .selectFrom('audit_log')
        .select('actor_name')
        .where('object_id', '=', userId)
        .where('action', '=', 'user.deactivated')
        .where('result', '=', 'ok')
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(1)
        .$asScalar()
        .as('deactivatedByName'),
    ])
    .executeTakeFirstOrThrow()
}

/** Returns false if there is no such user. */
export async function changeUser(
  db: Executor,
  id: string,
  changes: Updateable<Database['users']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(changes)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Locks a user with an account, so that no other transaction changes or deletes them meanwhile. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  const user = await lockRow(tx, 'users', id)
  return user && isAccount(user) ? user : undefined
}

/** Locks those of these users who have an account. */
export async function lockUsers(tx: Tx, ids: readonly string[]): Promise<UserRow[]> {
  const users = await lockRows(tx, 'users', ids)
  return users.filter(isAccount)
}

export async function setTwoFactorOverride(
  db: Executor,
  userId: string,
  columns: Pick<UserRow, 'two_factor_days' | 'two_factor_enabled'>,
): Promise<void> {
  await db.updateTable('users').set(columns).where('id', '=', userId).execute()
}

export async function requireCodeAtNextSignIn(db: Executor, userId: string): Promise<void> {
  await db.updateTable('users').set({ must_verify: 1 }).where('id', '=', userId).execute()
}

/**
 * Serializes changes to who is an administrator. Locks a name instead of the rows: two updates could lock the
 * same rows in different orders and deadlock.
 */
export function lockAdministrators(tx: Tx): Promise<void> {
  return lockName(tx, 'administrators')
}

/** Counts the administrators other than this user who can sign in. */
export function countOtherAdministrators(tx: Tx, userId: string): Promise<{ all: number; system: number }> {
  return selectAccounts(tx)
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>(eb.case().when('is_system_admin', '=', 1).then(1).end()).as('system'),
    ])
    .where('role', '=', 'admin')
    .where('deactivated_at', 'is', null)
    .where('id', '<>', userId)
    .executeTakeFirstOrThrow()
}

export function listSystemAdministrators(db: Executor): Promise<Pick<UserRow, 'name' | 'email'>[]> {
  return selectAccounts(db)
    .select(['name', 'email'])
    .where('role', '=', 'admin')
    .where('is_system_admin', '=', 1)
    .where('deactivated_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Deletes the user and, by cascade, everything they own; documents stay. */
export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

const tablesToClear = [
  'sessions',
  'embedded_sign_ins',
  'api_keys',
  'revoked_api_keys',
  'oauth_codes',
  'connected_programs',
  'trusted_browsers',
  'known_browsers',
  'sign_in_challenges',
  'password_resets',
  'channel_members',
  'identities',
  'access_grants',
  'group_members',
  'directory_users',
] as const

/** Keeps only the row that the user's chats refer to. Someone else can use the email address. */
export async function anonymizeUser(tx: Tx, id: string, now: number): Promise<void> {
  await changeUser(tx, id, {
    name: 'Deleted user',
    email: `${id}@deleted.invalid`,
    role: 'user',
    is_system_admin: 0,
    permission_overrides: null,
    group_permissions: null,
    password_hash: '',
    two_factor_days: null,
    two_factor_enabled: null,
    must_verify: 0,
    is_break_glass: 0,
    deactivated_at: null,
    last_seen_at: null,
    deleted_at: now,
  })
  for (const table of tablesToClear) await tx.deleteFrom(table).where('user_id', '=', id).execute()
}
