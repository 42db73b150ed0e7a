import type { Executor, Tx } from '#db/client.ts'
import { lockRows } from '#db/lock-row.ts'

interface NewVisitor {
  id: string
  channelId: string
  name: string
  /** A placeholder, because every user has an address. */
  email: string
  now: number
}

/** Stores a visitor, who is a member of this channel only. */
export async function insertVisitor(tx: Tx, { id, channelId, name, email, now }: NewVisitor): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      id,
      email,
      name,
      role: 'user',
      is_system_admin: 0,
      password_hash: '',
      two_factor_enabled: 0,
      last_seen_at: now,
      created_at: now,
      visitor_channel_id: channelId,
    })
    .execute()
  await tx
    .insertInto('channel_members')
    .values({ channel_id: channelId, user_id: id, is_admin: 0, created_at: now })
    .execute()
}

/** A visitor's channel with its limits, which are null if it was never embedded. Undefined for everyone else. */
export function findVisitorSettings(db: Executor, userId: string) {
  return db
    .selectFrom('users')
    .leftJoin('channel_embeddings as embedding', 'embedding.channel_id', 'users.visitor_channel_id')
    .select(['embedding.visitor_messages_per_day', 'embedding.channel_visitor_messages_per_day'])
    .where('users.id', '=', userId)
    .where('users.visitor_channel_id', 'is not', null)
    .executeTakeFirst()
}

/** Records that the visitor has asked something, which puts off their deletion. */
export async function touchVisitor(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ last_seen_at: now }).where('id', '=', id).execute()
}

/** The channels of visitors by their id. */
function toChannels(rows: readonly { id: string; visitor_channel_id: string | null }[]): Map<string, string> {
  return new Map(
    rows.flatMap(({ id, visitor_channel_id: channelId }) =>
      channelId === null ? [] : [[id, channelId] as const],
    ),
  )
}

export function selectOldVisitors(db: Executor, before: number, limit: number) {
  return (
    db
      .selectFrom('users')
      .select(['id', 'visitor_channel_id'])
      // Says `is not null` in a form for which both databases use the index.
      .where('visitor_channel_id', '>', '')
      .where('last_seen_at', '<', before)
      .limit(limit)
  )
}

/** Some visitors who have not asked anything since `before`, with their channels. */
export async function listOldVisitors(
  db: Executor,
  before: number,
  limit: number,
): Promise<Map<string, string>> {
  return toChannels(await selectOldVisitors(db, before, limit).execute())
}

/**
 * Locks the visitors and returns those who still have not asked anything since `before`. A message from now on waits for
 * the lock and then finds the visitor deleted.
 */
export async function lockOldVisitors(
  tx: Tx,
  ids: readonly string[],
  before: number,
): Promise<Map<string, string>> {
  const users = await lockRows(tx, 'users', ids)
  return toChannels(users.filter(({ last_seen_at }) => last_seen_at !== null && last_seen_at < before))
}

/** Deletes visitors and, by cascade, what is left of theirs. Delete their chats first. */
export async function deleteVisitors(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('users').where('id', 'in', ids).execute()
}

export function selectVisitors(db: Executor, channelId: string, limit: number) {
  return db.selectFrom('users').select('id').where('visitor_channel_id', '=', channelId).limit(limit)
}

/** Some visitors of a channel. */
export async function listVisitors(tx: Tx, channelId: string, limit: number): Promise<string[]> {
  const rows = await selectVisitors(tx, channelId, limit).execute()
  return rows.map(({ id }) => id)
}

/** Ends the sign-ins of all visitors of a channel. */
export async function deleteVisitorSignIns(tx: Tx, channelId: string): Promise<void> {
  await tx
    .deleteFrom('embedded_sign_ins')
    .where('channel_id', '=', channelId)
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('users').select('id').where('visitor_channel_id', '=', channelId),
    )
    .execute()
}
