import type { Executor, Tx } from './client.ts'
import { lockName } from './dialect.ts'

/** The key of the setting that contains the background picture of the dashboard. */
export const dashboardBackgroundKey = 'dashboardBackground'

/** Locks the settings until the transaction ends, so that the audit log records the true earlier values. */
export function lockSettings(tx: Tx): Promise<void> {
  return lockName(tx, 'settings')
}

/** The JSON stored under a key; undefined if there is none. */
export async function readSetting(db: Executor, key: string): Promise<unknown> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row === undefined ? undefined : JSON.parse(row.value)
}

/** The JSON of several keys in one query; missing keys are left out. */
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

/** False when there was no such setting. */
export async function deleteSetting(db: Executor, key: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('settings').where('key', '=', key).executeTakeFirst()
  return numDeletedRows > 0n
}
