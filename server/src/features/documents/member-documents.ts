import type { Executor } from '#db/client.ts'

export interface MemberDocument {
  id: string
  channel_id: string
  title: string
  kind: string
  number: number
  pages: number | null
  created_at: number
}

/** The documents that answers in these channels come from, newest first. The caller has checked the channels. */
export async function listMemberDocuments(
  db: Executor,
  channelIds: readonly string[],
  { limit, skip }: { limit: number; skip: number },
): Promise<MemberDocument[]> {
  if (channelIds.length === 0) return []
  return db
    .selectFrom('documents')
    .innerJoin('document_versions as answering', 'answering.id', 'documents.answering_version_id')
    .select(['documents.id', 'documents.channel_id', 'documents.title', 'documents.created_at'])
    .select(['answering.kind', 'answering.number', 'answering.pages'])
    .where('documents.channel_id', 'in', channelIds)
    .where('documents.approved_version_id', 'is not', null)
    .orderBy('documents.created_at', 'desc')
    .orderBy('documents.id', 'desc')
    .limit(limit)
    .offset(skip)
    .execute()
}
