import type { Executor } from '#db/client.ts'

/** The names of channels by id, in the order of the names. Channels that do not exist are left out. */
export async function findChannelNames(db: Executor, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .orderBy('name')
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
