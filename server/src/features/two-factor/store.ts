import type { Executor } from '#db/client.ts'
import type { TwoFactorColumns } from './policy.ts'

export async function writeOverride(db: Executor, userId: string, columns: TwoFactorColumns): Promise<void> {
  await db.updateTable('users').set(columns).where('id', '=', userId).execute()
}

export async function demandCode(db: Executor, userId: string): Promise<void> {
  await db.updateTable('users').set({ must_verify: 1 }).where('id', '=', userId).execute()
}
