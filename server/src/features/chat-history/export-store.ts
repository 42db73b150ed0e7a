import type { Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import { leasesIn } from '#db/lease.ts'
import type { Database } from '#db/schema.ts'

/** One export at a time for each user. The id is the user's. */
export const exportLeases = leasesIn('history_exports')

export interface PathStep {
  id: string
  chat_id: string
  parent_id: string | null
  depth: number
}

/** Walks from the given messages towards the first message, at most `steps` messages per chat. */
export function findAncestors(db: Executor, from: readonly string[], steps: number): Promise<PathStep[]> {
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
export async function findMessages(db: Executor, ids: readonly string[]): Promise<ExportedMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'role', 'content', 'state', 'mode', 'citations', 'created_at'])
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
