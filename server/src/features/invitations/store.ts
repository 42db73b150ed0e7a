import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'

export type InvitationRow = Selectable<Database['invitations']>

export function findByTokenHash(db: Executor, hash: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('token_hash', '=', hash).executeTakeFirst()
}

/** Set-up invitations are nobody's to see, send or cancel; a person whose account is gone has no name here. */
function shown(db: Executor) {
  return db
    .selectFrom('invitations')
    .leftJoin('users as inviter', (join) =>
      join.onRef('inviter.id', '=', 'invitations.invited_by').on('inviter.deleted_at', 'is', null),
    )
    .selectAll('invitations')
    .select(['inviter.id as inviter_id', 'inviter.name as inviter_name'])
    .where('invitations.is_setup', '=', 0)
}

export type ShownInvitation = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>

export function findInvitation(db: Executor, id: string): Promise<ShownInvitation | undefined> {
  return shown(db).where('invitations.id', '=', id).executeTakeFirst()
}

export function findByIdempotencyKey(db: Executor, key: string): Promise<ShownInvitation | undefined> {
  return shown(db).where('invitations.idempotency_key', '=', key).executeTakeFirst()
}

export function listInvitations(db: Executor, limit: number, skip: number): Promise<ShownInvitation[]> {
  return shown(db)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute()
}

export async function countInvitations(db: Executor): Promise<number> {
  const { invitations } = await db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('invitations'))
    .where('is_setup', '=', 0)
    .executeTakeFirstOrThrow()
  return invitations
}

/** Of two invitations to one address, or under one key, the second waits for the first and finds it. */
export async function lockInviting(tx: Tx, email: string, key: string | null): Promise<void> {
  if (key !== null) await lockName(tx, `invitation-key|${key}`)
  await lockName(tx, `invitation|${email}`)
}

export async function isUsersAddress(db: Executor, email: string): Promise<boolean> {
  return (
    (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
  )
}

export async function isInvited(db: Executor, email: string, now: number): Promise<boolean> {
  const found = await db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('is_setup', '=', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

export async function namesOfChannels(
  db: Executor,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return ids.length === 0
    ? []
    : db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).orderBy('name').execute()
}

export async function insertInvitation(
  db: Executor,
  invitation: Insertable<Database['invitations']>,
): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** A fresh set-up link voids the earlier ones. */
export async function deleteSetupInvitations(db: Executor): Promise<void> {
  await db.deleteFrom('invitations').where('is_setup', '=', 1).where('status', '=', 'pending').execute()
}

export async function deleteExpired(db: Executor, email: string, now: number): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('is_setup', '=', 0)
    .where('expires_at', '<=', now)
    .execute()
}

/** True for the one caller who takes it: of two at once the other finds it no longer pending. */
export async function markAccepted(
  db: Executor,
  id: string,
  tokenHash: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ status: 'accepted', accepted_at: now })
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Another link for a pending invitation; from here on the one before is unknown. False where there is none pending. */
export async function replaceLink(
  db: Executor,
  id: string,
  link: { token_hash: string; expires_at: number },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set(link)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('is_setup', '=', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Undefined where it is not pending: accepted in the same moment, or not there. */
export function deletePending(
  db: Executor,
  id: string,
): Promise<Pick<InvitationRow, 'email' | 'expires_at'> | undefined> {
  return db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('is_setup', '=', 0)
    .returning(['email', 'expires_at'])
    .executeTakeFirst()
}

export async function forgetIdempotencyKeys(db: Executor, before: number): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ idempotency_key: null })
    .where('idempotency_key', 'is not', null)
    .where('created_at', '<=', before)
    .execute()
}
