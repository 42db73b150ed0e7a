import type { Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type InvitationRow = Selectable<Database['invitations']>

export const findByTokenHash = (db: Executor, hash: string): Promise<InvitationRow | undefined> =>
  db.selectFrom('invitations').selectAll().where('token_hash', '=', hash).executeTakeFirst()

export const insertInvitation = async (db: Executor, invitation: InvitationRow): Promise<void> => {
  await db.insertInto('invitations').values(invitation).execute()
}

/** A fresh set-up link voids the earlier ones. */
export const deleteSetupInvitations = async (db: Executor): Promise<void> => {
  await db.deleteFrom('invitations').where('is_setup', '=', 1).where('status', '=', 'pending').execute()
}

/** True for the one caller who takes it: of two at once the other finds it no longer pending. */
export const markAccepted = async (
  db: Executor,
  id: string,
  tokenHash: string,
  now: number,
): Promise<boolean> => {
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
