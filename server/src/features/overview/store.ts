import { attentionMaximum } from '@lyceum/contract/overview'
import type { AliasableExpression } from 'kysely'
import type { Executor } from '#db/client.ts'

async function countRows(db: Executor, rows: AliasableExpression<object>): Promise<number> {
  const { count } = await db
    .selectFrom(rows.as('rows'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

interface ReadyMadeFilter {
  hasPreset: boolean
  /** Only channels with these assistants. */
  assistantIds?: readonly string[]
}

/**
 * The ids of channels whose ready-made assistant exists (or does not), because they cannot reply without a model (or
 * another one).
 */
export async function listReadyMadeChannels(
  db: Executor,
  { hasPreset, assistantIds }: ReadyMadeFilter,
): Promise<string[]> {
  if (assistantIds?.length === 0) return []
  const rows = await db
    .selectFrom('channels')
    .leftJoin('assistant_presets', 'assistant_presets.assistant_id', 'channels.assistant_id')
    .select('channels.id')
    .where('channels.use_assistant', '=', 1)
    .where('channels.archived_at', 'is', null)
    .where('assistant_presets.id', hasPreset ? 'is not' : 'is', null)
    .$if(assistantIds !== undefined, (query) =>
      query.where('channels.assistant_id', 'in', assistantIds ?? []),
    )
    .limit(attentionMaximum)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The ids of custom channels without documents that are indexed, could not be, or wait for approval; of those that answer only from
 * documents if `isStrict`.
 */
export async function listChannelsWithoutDocuments(
  db: Executor,
  { isStrict }: { isStrict: boolean },
): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('use_assistant', '=', 0)
    .where('archived_at', 'is', null)
    .$if(isStrict, (query) => query.where('strict_documents_only', '=', 1))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('documents')
            .select('documents.id')
            .whereRef('documents.channel_id', '=', 'channels.id')
            .where((eb) =>
              eb.or([
                eb('documents.generation', 'is not', null),
                eb('documents.status', '=', 'pending'),
                // Counted by itself.
                eb(
                  'documents.approved_version_id',
                  'in',
                  selectFrom('document_versions').select('id').where('index_state', '=', 'failed'),
                ),
              ]),
            ),
        ),
      ),
    )
    .limit(attentionMaximum)
    .execute()
  return rows.map(({ id }) => id)
}

export function countPendingDocuments(db: Executor): Promise<number> {
  const pending = db.selectFrom('documents').select('id').where('status', '=', 'pending')
  return countRows(db, pending.limit(attentionMaximum))
}

export function countExpiredInvitations(db: Executor, now: number): Promise<number> {
  const expired = db
    .selectFrom('invitations')
    .select('id')
    .where('status', '=', 'pending')
    .where('is_setup', '=', 0)
    .where('expires_at', '<=', now)
  return countRows(db, expired.limit(attentionMaximum))
}

export function countUnansweredQuestions(db: Executor, since: number): Promise<number> {
  const open = db
    .selectFrom('unanswered_questions')
    .select('message_id')
    .where('resolved_at', 'is', null)
    .where('asked_at', '>=', since)
  return countRows(db, open.limit(attentionMaximum))
}
