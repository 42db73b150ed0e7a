import type { Insertable, Selectable } from 'kysely'
import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'
import { readSetting, writeSetting } from '#db/settings.ts'

export type InvitationRow = Selectable<Database['invitations']>

export function findByTokenHash(db: Executor, hash: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('token_hash', '=', hash).executeTakeFirst()
}

/** Excludes setup invitations, which cannot be listed, resent or cancelled. Deleted inviters have no name. */
function selectVisibleInvitations(db: Executor) {
  return db
    .selectFrom('invitations')
    .leftJoin('users as inviter', (join) =>
      join.onRef('inviter.id', '=', 'invitations.invited_by').on('inviter.deleted_at', 'is', null),
    )
    .selectAll('invitations')
    .select(['inviter.id as inviter_id', 'inviter.name as inviter_name'])
    .where('invitations.is_setup', '=', 0)
}

export type InvitationWithInviter = Awaited<
  ReturnType<ReturnType<typeof selectVisibleInvitations>['executeTakeFirstOrThrow']>
>

export function findInvitation(db: Executor, id: string): Promise<InvitationWithInviter | undefined> {
  return selectVisibleInvitations(db).where('invitations.id', '=', id).executeTakeFirst()
}

export function findByIdempotencyKey(db: Executor, key: string): Promise<InvitationWithInviter | undefined> {
  return selectVisibleInvitations(db).where('invitations.idempotency_key', '=', key).executeTakeFirst()
}

export function listInvitations(db: Executor, limit: number, skip: number): Promise<InvitationWithInviter[]> {
  return selectVisibleInvitations(db)
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

/** Makes a concurrent invitation with the same address or idempotency key wait, so that it finds the first one. */
export async function lockInvitationEmail(tx: Tx, email: string, key: string | null): Promise<void> {
  if (key !== null) await lockName(tx, `invitation-key|${key}`)
  await lockName(tx, `invitation|${email}`)
}

export async function isEmailRegistered(db: Executor, email: string): Promise<boolean> {
  return (
    (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
  )
}

export function findPendingByEmail(
  db: Executor,
  email: string,
  now: number,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('is_setup', '=', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function isInvited(db: Executor, email: string, now: number): Promise<boolean> {
  return (await findPendingByEmail(db, email, now)) !== undefined
}

export async function insertInvitation(
  db: Executor,
  invitation: Insertable<Database['invitations']>,
): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

export async function deleteSetupInvitations(db: Executor): Promise<void> {
  await db.deleteFrom('invitations').where('is_setup', '=', 1).where('status', '=', 'pending').execute()
}

/** Makes another node that starts at the same time wait until this one has created its link. */
export function lockSetupLink(tx: Tx): Promise<void> {
  return lockName(tx, 'setup-link')
}

const printedLinkSetting = 'printedSetupLink'
const printedLink = z.object({ invitationId: z.string(), node: z.string() })

/** Which node has printed the valid setup link since `since`; null if there is no such link. */
export async function findSetupLinkPrinter(db: Executor, since: number): Promise<string | null> {
  const printed = printedLink.safeParse(await readSetting(db, printedLinkSetting))
  if (!printed.success) return null
  const found = await db
    .selectFrom('invitations')
    .select('id')
    .where('id', '=', printed.data.invitationId)
    .where('status', '=', 'pending')
    .where('created_at', '>', since)
    .executeTakeFirst()
  return found ? printed.data.node : null
}

export function recordSetupLinkPrinter(
  db: Executor,
  invitationId: string,
  node: string,
  now: number,
): Promise<void> {
  return writeSetting(db, printedLinkSetting, { invitationId, node }, now)
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

/** Returns true for exactly one of several concurrent callers. */
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

/** Replaces the link of a pending invitation. Returns false when the invitation is not pending. */
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

/** Returns undefined if the invitation does not exist or is no longer pending. */
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

export async function clearIdempotencyKeys(db: Executor, before: number): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ idempotency_key: null })
    .where('idempotency_key', 'is not', null)
    .where('created_at', '<=', before)
    .execute()
}
