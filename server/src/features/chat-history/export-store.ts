import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

type Lease = Insertable<Database['history_exports']>

/** Returns false while another export of this user is running. */
export async function takeLease(db: Executor, lease: Lease, now: number): Promise<boolean> {
  const taken = await db
    .insertInto('history_exports')
    .values(lease)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ fence: lease.fence, lease_until: lease.lease_until })
        .where('history_exports.lease_until', '<=', now),
    )
    .returning('fence')
    .executeTakeFirst()
  return taken !== undefined
}

/** Returns false when another export replaced this one or the user was deleted. */
export async function renewLease(db: Executor, { user_id, fence, lease_until }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('history_exports')
    .set({ lease_until })
    .where('user_id', '=', user_id)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function releaseLease(db: Executor, userId: string, fence: string): Promise<void> {
  await db.deleteFrom('history_exports').where('user_id', '=', userId).where('fence', '=', fence).execute()
}

export interface Step {
  id: string
  chat_id: string
  parent_id: string | null
  depth: number
}

/** Walks from the given messages towards the first message, at most `steps` messages per chat. */
export function stepsUp(db: Executor, from: readonly string[], steps: number): Promise<Step[]> {
  return db
    .withRecursive('path(id, chat_id, parent_id, depth)', (cte) =>
      cte
        .selectFrom('messages')
        .select((eb) => ['messages.id', 'messages.chat_id', 'messages.parent_id', eb.lit(1).as('depth')])
        .where('messages.id', 'in', from)
        .unionAll(
          cte
            .selectFrom('path')
            .innerJoin('messages', 'messages.id', 'path.parent_id')
            .select((eb) => [
              'messages.id',
              'messages.chat_id',
              'messages.parent_id',
              eb('path.depth', '+', 1).as('depth'),
            ])
            .where('path.depth', '<', steps),
        ),
    )
    .selectFrom('path')
    .selectAll()
    .orderBy('depth')
    .execute()
}

export type ExportedMessage = Pick<
  Selectable<Database['messages']>,
  'id' | 'role' | 'content' | 'state' | 'mode' | 'citations' | 'created_at'
>

/** Returns the messages in the order of `ids`. */
export async function messagesById(db: Executor, ids: readonly string[]): Promise<ExportedMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'role', 'content', 'state', 'mode', 'citations', 'created_at'])
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
