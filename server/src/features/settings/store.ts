import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'

/** Until the transaction ends, nobody else changes the settings: what was there before is what is entered. */
export function lockSettings(tx: Tx): Promise<void> {
  return lockName(tx, 'settings')
}

/** The JSON kept under a key. */
export async function readSetting(db: Executor, key: string): Promise<unknown> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row === undefined ? undefined : JSON.parse(row.value)
}

/** The same for several keys in one query; a key that is not there is left out. */
export async function readSettings(db: Executor, keys: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]))
}

export async function writeSetting(db: Executor, key: string, value: unknown, now: number): Promise<void> {
  const row = { value: JSON.stringify(value), updated_at: now }
  await db
    .insertInto('settings')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
}

export async function deleteSetting(db: Executor, key: string): Promise<void> {
  await db.deleteFrom('settings').where('key', '=', key).execute()
}
