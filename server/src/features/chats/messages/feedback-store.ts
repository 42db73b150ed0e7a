import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type FeedbackRow = Selectable<Database['message_feedback']>

/** The feedback on these replies, by message id. */
export async function findFeedback(
  db: Executor,
  messageIds: readonly string[],
): Promise<Map<string, FeedbackRow>> {
  if (messageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('message_feedback')
    .selectAll()
    .where('message_id', 'in', messageIds)
    .execute()
  return new Map(rows.map((row) => [row.message_id, row]))
}

/** Inserts or replaces the feedback, keeping the first `created_at`. */
export async function saveFeedback(
  db: Executor,
  { message_id, created_at, ...feedback }: Insertable<Database['message_feedback']>,
): Promise<void> {
  await db
    .insertInto('message_feedback')
    .values({ message_id, created_at, ...feedback })
    .onConflict((conflict) => conflict.column('message_id').doUpdateSet(feedback))
    .execute()
}

export async function deleteFeedback(db: Executor, messageId: string): Promise<void> {
  await db.deleteFrom('message_feedback').where('message_id', '=', messageId).execute()
}
