import type { Executor } from './store.ts'

interface Own {
  userId: string
  channelId: string
  id: string
}

function ownOf(db: Executor, userId: string, channelId: string) {
  return db
    .selectFrom('documents')
    .innerJoin('document_versions as first', (join) =>
      join.onRef('first.document_id', '=', 'documents.id').on('first.number', '=', 1),
    )
    .select([
      'documents.id',
      'documents.title',
      'documents.status',
      'documents.approved_version_id',
      'documents.created_at',
      'documents.reviewed_at',
      'first.original_name',
      'first.file_size',
    ])
    .where('documents.uploaded_by', '=', userId)
    .where('documents.channel_id', '=', channelId)
    .where('documents.is_proposal', '=', 1)
}

export type OwnProposal = Awaited<ReturnType<ReturnType<typeof ownOf>['executeTakeFirstOrThrow']>>

export function findOwnProposal(
  db: Executor,
  { userId, channelId, id }: Own,
): Promise<OwnProposal | undefined> {
  return ownOf(db, userId, channelId).where('documents.id', '=', id).executeTakeFirst()
}

export function listProposals(
  db: Executor,
  userId: string,
  channelId: string,
  limit: number,
): Promise<OwnProposal[]> {
  return ownOf(db, userId, channelId)
    .orderBy('documents.created_at', 'desc')
    .orderBy('documents.id', 'desc')
    .limit(limit)
    .execute()
}

function waiting(db: Executor, userId: string, channelId: string) {
  return db
    .selectFrom('documents')
    .where('uploaded_by', '=', userId)
    .where('channel_id', '=', channelId)
    .where('is_proposal', '=', 1)
    .where('status', '=', 'pending')
}

export async function countWaitingProposals(
  db: Executor,
  userId: string,
  channelId: string,
): Promise<number> {
  const { proposals } = await waiting(db, userId, channelId)
    .select((eb) => eb.fn.countAll<number>().as('proposals'))
    .executeTakeFirstOrThrow()
  return proposals
}

/** Holds a proposal that is still as its member sent it, for the rest of the transaction; false when it is not. */
export async function lockWaitingProposal(db: Executor, { userId, channelId, id }: Own): Promise<boolean> {
  const held = await db
    .updateTable('documents')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .where('uploaded_by', '=', userId)
    .where('channel_id', '=', channelId)
    .where('is_proposal', '=', 1)
    .where('status', '=', 'pending')
    .where((eb) =>
      eb(
        'version_id',
        '=',
        eb
          .selectFrom('document_versions')
          .select('document_versions.id')
          .whereRef('document_versions.document_id', '=', 'documents.id')
          .where('document_versions.number', '=', 1),
      ),
    )
    .returning('id')
    .executeTakeFirst()
  return held !== undefined
}
