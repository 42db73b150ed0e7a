import type { Executor, Tx } from '#db/client.ts'
import { lockRow } from '#db/lock-row.ts'

interface ProposalKey {
  userId: string
  channelId: string
  id: string
}

function selectOwnProposals(db: Executor, userId: string, channelId: string) {
  return db
    .selectFrom('documents')
    .innerJoin('document_versions as first', (join) =>
      join.onRef('first.document_id', '=', 'documents.id').on('first.number', '=', 1),
    )
    .innerJoin('document_versions as current', 'current.id', 'documents.version_id')
    .select([
      'documents.id',
      'documents.title',
      'documents.status',
      'documents.approved_version_id',
      'documents.generation',
      'documents.created_at',
      'documents.reviewed_at',
      'first.original_name',
      'first.file_size',
      'current.rejection_reason',
    ])
    .where('documents.uploaded_by', '=', userId)
    .where('documents.channel_id', '=', channelId)
    .where('documents.is_proposal', '=', 1)
}

export type OwnProposal = Awaited<
  ReturnType<ReturnType<typeof selectOwnProposals>['executeTakeFirstOrThrow']>
>

export function findOwnProposal(
  db: Executor,
  { userId, channelId, id }: ProposalKey,
): Promise<OwnProposal | undefined> {
  return selectOwnProposals(db, userId, channelId).where('documents.id', '=', id).executeTakeFirst()
}

export function listProposals(
  db: Executor,
  userId: string,
  channelId: string,
  limit: number,
): Promise<OwnProposal[]> {
  return selectOwnProposals(db, userId, channelId)
    .orderBy('documents.created_at', 'desc')
    .orderBy('documents.id', 'desc')
    .limit(limit)
    .execute()
}

function selectPendingProposals(db: Executor, userId: string, channelId: string) {
  return db
    .selectFrom('documents')
    .where('documents.uploaded_by', '=', userId)
    .where('documents.channel_id', '=', channelId)
    .where('documents.is_proposal', '=', 1)
    .where('documents.status', '=', 'pending')
}

export async function countPendingProposals(
  db: Executor,
  userId: string,
  channelId: string,
): Promise<number> {
  const { proposals } = await selectPendingProposals(db, userId, channelId)
    .select((eb) => eb.fn.countAll<number>().as('proposals'))
    .executeTakeFirstOrThrow()
  return proposals
}

/** Locks a proposal. Returns false if it was decided, replaced or deleted since the member sent it. */
export async function lockPendingProposal(tx: Tx, { userId, channelId, id }: ProposalKey): Promise<boolean> {
  await lockRow(tx, 'documents', id)
  const proposal = await selectPendingProposals(tx, userId, channelId)
    .innerJoin('document_versions as version', 'version.id', 'documents.version_id')
    .select('documents.id')
    .where('documents.id', '=', id)
    .where('version.number', '=', 1)
    .executeTakeFirst()
  return proposal !== undefined
}
