import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type ClientRow = Selectable<Database['oauth_clients']>

export async function insertClient(db: Executor, client: Insertable<Database['oauth_clients']>) {
  await db.insertInto('oauth_clients').values(client).execute()
}

export function findClient(db: Executor, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function touchClient(db: Executor, id: string, now: number): Promise<void> {
  await db.updateTable('oauth_clients').set({ last_used_at: now }).where('id', '=', id).execute()
}

/** Of the clients that no user has allowed, keeps only this number of the newest. */
export async function deleteOldestUnusedClients(db: Executor, kept: number): Promise<void> {
  const oldest = await db
    .selectFrom('oauth_clients')
    .select('id')
    .where('last_used_at', 'is', null)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  await db
    .deleteFrom('oauth_clients')
    .where('last_used_at', 'is', null)
    .where('id', '<=', oldest.id)
    .execute()
}

/** Deletes clients that were never allowed, or that no user has connected for long. */
export async function deleteOldClients(
  db: Executor,
  { unusedSince, disconnectedSince }: { unusedSince: number; disconnectedSince: number },
): Promise<void> {
  await db
    .deleteFrom('oauth_clients')
    .where('last_used_at', 'is', null)
    .where('created_at', '<=', unusedSince)
    .execute()
  await db
    .deleteFrom('oauth_clients')
    .where('last_used_at', '<=', disconnectedSince)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('connected_programs')
            .select('connected_programs.id')
            .whereRef('connected_programs.client_id', '=', 'oauth_clients.id'),
        ),
      ),
    )
    .execute()
}
