import type { Executor, Tx } from '#db/client.ts'

/** What a source can give to a user. */
export type GrantTarget = 'role:admin' | `channel:${string}`

export interface Grant {
  target: GrantTarget
  source: string
}

export async function listGrants(db: Executor, userId: string): Promise<Grant[]> {
  const rows = await db
    .selectFrom('access_grants')
    .select(['target', 'source'])
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ target, source }) => ({ target: target as GrantTarget, source }))
}

export async function insertGrant(
  tx: Tx,
  userId: string,
  { target, source }: Grant,
  now: number,
): Promise<void> {
  await tx
    .insertInto('access_grants')
    .values({ user_id: userId, target, source, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteGrant(tx: Tx, userId: string, { target, source }: Grant): Promise<void> {
  await tx
    .deleteFrom('access_grants')
    .where('user_id', '=', userId)
    .where('target', '=', target)
    .where('source', '=', source)
    .execute()
}

export async function deleteGrantsOf(tx: Tx, userId: string, target: GrantTarget): Promise<void> {
  await tx.deleteFrom('access_grants').where('user_id', '=', userId).where('target', '=', target).execute()
}

/** Makes what the source gave count as given by hand. */
export async function deleteGrantsFrom(tx: Tx, source: string): Promise<void> {
  await tx.deleteFrom('access_grants').where('source', '=', source).execute()
}
