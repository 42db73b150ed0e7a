import type { UnansweredReason } from '@lyceum/contract/analytics'
import type { Executor } from '#db/client.ts'
import type { UsageCounts } from '#db/schema/usage.ts'

/** Stored in place of a channel id for the totals of all channels. */
export const allChannels = ''

interface UserUsage {
  userId: string
  channelId: string
  day: string
  asked: number
  tokens: number
}

/**
 * Adds to a user's counts for a day and returns the new request counts, in all channels and in this one. Both rows are
 * always written in the same order, so that concurrent transactions cannot deadlock.
 */
export async function addUserUsage(
  tx: Executor,
  { userId, channelId, day, asked, tokens }: UserUsage,
): Promise<{ total: number; inChannel: number }> {
  const rows = await tx
    .insertInto('usage_people')
    .values(
      [allChannels, channelId].map((channel_id) => ({ channel_id, user_id: userId, day, asked, tokens })),
    )
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'user_id', 'day']).doUpdateSet((eb) => ({
        asked: eb('usage_people.asked', '+', eb.ref('excluded.asked')),
        tokens: eb('usage_people.tokens', '+', eb.ref('excluded.tokens')),
      })),
    )
    .returning(['channel_id', 'asked'])
    .execute()
  function askedIn(id: string): number {
    return rows.find(({ channel_id }) => channel_id === id)?.asked ?? 0
  }
  return { total: askedIn(allChannels), inChannel: askedIn(channelId) }
}

export interface DayCounts extends Partial<UsageCounts> {
  channel_id: string
  model: string
}

/**
 * Adds to several rows for a day in one statement and returns their new request counts. Rows are written in key order,
 * so that concurrent transactions cannot deadlock.
 */
export async function addDailyUsage(
  tx: Executor,
  day: string,
  rows: readonly DayCounts[],
): Promise<{ channel_id: string; asked: number }[]> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (column): column is keyof UsageCounts => column !== 'channel_id' && column !== 'model',
  )
  const completeRows = rows.map((row) => ({
    day,
    channel_id: row.channel_id,
    model: row.model,
    ...Object.fromEntries(columns.map((column) => [column, row[column] ?? 0])),
  }))
  const sortedRows = completeRows.sort((a, b) =>
    a.channel_id === b.channel_id ? (a.model < b.model ? -1 : 1) : a.channel_id < b.channel_id ? -1 : 1,
  )
  return tx
    .insertInto('usage_days')
    .values(sortedRows)
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'day', 'model'])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            columns.map((column) => [column, eb(`usage_days.${column}`, '+', eb.ref(`excluded.${column}`))]),
          ),
        ),
    )
    .returning(['channel_id', 'asked'])
    .execute()
}

export async function addCitations(
  tx: Executor,
  day: string,
  channelId: string,
  documentIds: readonly string[],
): Promise<void> {
  await tx
    .insertInto('citation_days')
    .values(
      documentIds
        .toSorted()
        .map((document_id) => ({ channel_id: channelId, document_id, day, citations: 1 })),
    )
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'document_id', 'day']).doUpdateSet((eb) => ({
        citations: eb('citation_days.citations', '+', eb.ref('excluded.citations')),
      })),
    )
    .execute()
}

/** Adds a question to the unanswered list. A resolved question that fails again is reopened. */
export async function insertUnanswered(
  tx: Executor,
  question: { id: string; channelId: string; askedAt: number; reason: UnansweredReason },
): Promise<void> {
  await tx
    .insertInto('unanswered_questions')
    .values({
      message_id: question.id,
      channel_id: question.channelId,
      asked_at: question.askedAt,
      reason: question.reason,
      resolved_at: null,
      resolved_by: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('message_id')
        .doUpdateSet({ reason: question.reason, resolved_at: null, resolved_by: null }),
    )
    .execute()
}

export async function deleteUnanswered(tx: Executor, messageId: string): Promise<void> {
  await tx.deleteFrom('unanswered_questions').where('message_id', '=', messageId).execute()
}
