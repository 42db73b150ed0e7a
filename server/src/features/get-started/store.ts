import { selectAccounts } from '#db/accounts.ts'
import type { Executor } from '#db/client.ts'

export interface SetupRecords {
  hasChannel: boolean
  hasDocument: boolean
  hasApprovedDocument: boolean
  /** Whether there is a second user, or an invitation for one. */
  hasInvited: boolean
}

/** One query, which stops at the first row of each kind. */
export async function readSetupRecords(db: Executor): Promise<SetupRecords> {
  const found = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('channels').select('id').limit(1).as('channel'),
      selectFrom('documents').select('id').limit(1).as('document'),
      selectFrom('documents')
        .select('id')
        .where('approved_version_id', 'is not', null)
        .limit(1)
        .as('approvedDocument'),
      selectAccounts(db).select('users.id').limit(1).offset(1).as('secondUser'),
      selectFrom('invitations').select('id').where('is_setup', '=', 0).limit(1).as('invitation'),
    ])
    .executeTakeFirstOrThrow()
  return {
    hasChannel: found.channel !== null,
    hasDocument: found.document !== null,
    hasApprovedDocument: found.approvedDocument !== null,
    hasInvited: found.secondUser !== null || found.invitation !== null,
  }
}
