import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockRow } from '#db/lock-row.ts'
import type { Database } from '#db/schema.ts'

export type EmbeddingRow = Selectable<Database['channel_embeddings']>
type SessionRow = Selectable<Database['sessions']>

/** The settings of a channel; undefined if none were ever saved. */
export function findEmbedding(db: Executor, channelId: string): Promise<EmbeddingRow | undefined> {
  return db
    .selectFrom('channel_embeddings')
    .selectAll()
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
}

/** With what the frame shows of the channel. Archived channels are not found: nothing new can begin in them. */
export function findEmbeddedChannel(db: Executor, channelId: string) {
  return db
    .selectFrom('channel_embeddings')
    .innerJoin('channels', 'channels.id', 'channel_embeddings.channel_id')
    .selectAll('channel_embeddings')
    .select(['channels.name', 'channels.description', 'channels.starter_questions', 'channels.use_assistant'])
    .where('channel_embeddings.channel_id', '=', channelId)
    .where('channels.archived_at', 'is', null)
    .executeTakeFirst()
}

export async function upsertEmbedding(
  tx: Tx,
  embedding: Insertable<Database['channel_embeddings']>,
): Promise<void> {
  const { channel_id: _, ...changes } = embedding
  await tx
    .insertInto('channel_embeddings')
    .values(embedding)
    .onConflict((conflict) => conflict.column('channel_id').doUpdateSet(changes))
    .execute()
}

/** Ends the sign-ins on all sites except these. */
export async function deleteSignInsElsewhere(
  tx: Tx,
  channelId: string,
  sites: readonly string[],
): Promise<void> {
  let query = tx.deleteFrom('embedded_sign_ins').where('channel_id', '=', channelId)
  if (sites.length > 0) query = query.where('site', 'not in', sites)
  await query.execute()
}

/** Locks the session, so that it ends either before or after the transaction. */
export function lockSession(tx: Tx, id: string): Promise<SessionRow | undefined> {
  return lockRow(tx, 'sessions', id)
}

export async function insertSignIn(tx: Tx, signIn: Insertable<Database['embedded_sign_ins']>): Promise<void> {
  await tx.insertInto('embedded_sign_ins').values(signIn).execute()
}

/** Keeps a user's newest sign-ins and deletes the others. */
export async function deleteOldestSignIns(tx: Tx, userId: string, keep: number): Promise<void> {
  const kept = tx
    .selectFrom('embedded_sign_ins')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(keep)
  await tx.deleteFrom('embedded_sign_ins').where('user_id', '=', userId).where('id', 'not in', kept).execute()
}
