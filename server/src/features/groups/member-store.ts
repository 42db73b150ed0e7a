import type { Executor, Tx } from '#db/client.ts'
import { byHand } from '#db/membership-source.ts'
import { contains } from '#db/text-match.ts'
import type { PageQuery } from './store.ts'

export { byHand }

function filterMembers(db: Executor, groupId: string, search: string) {
  const members = db
    .selectFrom('users')
    .where('id', 'in', (eb) =>
      eb.selectFrom('group_members').select('user_id').where('group_id', '=', groupId),
    )
  return search === ''
    ? members
    : members.where((eb) => eb.or([contains(eb.ref('name'), search), contains(eb.ref('email'), search)]))
}

export function listMembers(
  db: Executor,
  groupId: string,
  { search, limit, skip }: PageQuery & { search: string },
) {
  return filterMembers(db, groupId, search)
    .select(['id', 'name', 'email', 'role'])
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute()
}

export async function countMembers(db: Executor, groupId: string, search: string): Promise<number> {
  const { members } = await filterMembers(db, groupId, search)
    .select((eb) => eb.fn.countAll<number>().as('members'))
    .executeTakeFirstOrThrow()
  return members
}

/** The sources of these users' memberships in a group, in one query. */
export async function listSourcesByUser(
  db: Executor,
  groupId: string,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('group_members')
    .select(['user_id', 'source'])
    .where('group_id', '=', groupId)
    .where('user_id', 'in', userIds)
    .orderBy('source')
    .execute()
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map([...byUser].map(([userId, list]) => [userId, list.map(({ source }) => source)]))
}

/** Returns the users who had no membership from this source before. */
export async function insertMembers(
  tx: Tx,
  groupId: string,
  { userIds, source }: { userIds: readonly string[]; source: string },
  now: number,
): Promise<string[]> {
  const rows = await tx
    .insertInto('group_members')
    .values(userIds.map((user_id) => ({ group_id: groupId, user_id, source, created_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Ends the memberships, whatever their sources, which a directory of the group sees as a change. */
export async function deleteMembers(tx: Tx, groupId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .deleteFrom('group_members')
    .where('group_id', '=', groupId)
    .where('user_id', 'in', userIds)
    .execute()
  await tx
    .updateTable('directory_groups')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('group_id', '=', groupId)
    .execute()
}

/** Ends the memberships that a source gave. */
export async function deleteMemberships(
  tx: Tx,
  groupId: string,
  { userIds, source }: { userIds: readonly string[]; source: string },
): Promise<void> {
  await tx
    .deleteFrom('group_members')
    .where('group_id', '=', groupId)
    .where('user_id', 'in', userIds)
    .where('source', '=', source)
    .execute()
}

/** The user's memberships with their groups, sorted by name. */
export function listMemberships(db: Executor, userId: string) {
  return db
    .selectFrom('group_members')
    .innerJoin('user_groups', 'user_groups.id', 'group_members.group_id')
    .select(['user_groups.id', 'user_groups.name', 'user_groups.permissions', 'group_members.source'])
    .where('group_members.user_id', '=', userId)
    .orderBy('user_groups.name_key')
    .orderBy('group_members.source')
    .execute()
}

/** Makes memberships from a source that ends count as given by hand, unless another source gives them, too. */
export async function keepMembersOf(tx: Tx, source: string): Promise<void> {
  await tx
    .updateTable('group_members')
    .set({ source: byHand })
    .where('source', '=', source)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('group_members as other')
            .select('other.user_id')
            .whereRef('other.group_id', '=', 'group_members.group_id')
            .whereRef('other.user_id', '=', 'group_members.user_id')
            .where('other.source', '<>', source),
        ),
      ),
    )
    .execute()
  await tx.deleteFrom('group_members').where('source', '=', source).execute()
}

/** The names of issuers and directories, by the sources of what they give. */
export async function findSourceNames(db: Executor): Promise<Map<string, string>> {
  const issuers = await db.selectFrom('sign_in_issuers').select(['id', 'name']).execute()
  const directories = await db.selectFrom('directories').select(['id', 'name']).execute()
  return new Map([
    ...issuers.map(({ id, name }) => [`issuer:${id}`, name] as const),
    ...directories.map(({ id, name }) => [`directory:${id}`, name] as const),
  ])
}
