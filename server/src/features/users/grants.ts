import type { Executor, Tx } from '#db/client.ts'
import {
  deleteGrant,
  deleteGrantsFrom,
  deleteGrantsOf,
  type Grant,
  type GrantTarget,
  insertGrant,
  listGrants,
} from './grant-store.ts'

export type { GrantTarget } from './grant-store.ts'

/** What changes for a user with what a source gives them now. */
interface GrantPlan {
  /** What the source gave before and nobody else gives, so that the user loses it. */
  withdrawn: GrantTarget[]
  /** Whether any source gave it before. Access without a grant was given by hand, and no source takes it back. */
  isGranted: (target: GrantTarget) => boolean
}

/** Compares what a source gives now with what it gave before, and forgets what it no longer gives. */
export async function planGrants(
  tx: Tx,
  userId: string,
  { source, kind }: { source: string; kind: 'role' | 'channel' },
  given: readonly GrantTarget[],
): Promise<GrantPlan> {
  const grants = (await listGrants(tx, userId)).filter(({ target }) => target.startsWith(`${kind}:`))
  const dropped = grants.filter((grant) => grant.source === source && !given.includes(grant.target))
  for (const grant of dropped) await deleteGrant(tx, userId, grant)
  const others = new Set(grants.flatMap((grant) => (grant.source === source ? [] : [grant.target])))
  return {
    withdrawn: dropped.flatMap(({ target }) => (others.has(target) ? [] : [target])),
    isGranted: (target) => grants.some((grant) => grant.target === target),
  }
}

/** What sources give to the user. */
export function listGrantsOf(db: Executor, userId: string): Promise<Grant[]> {
  return listGrants(db, userId)
}

/** Whether the source has given anything to the user. */
export async function hasGrantsFrom(db: Executor, userId: string, source: string): Promise<boolean> {
  return (await listGrants(db, userId)).some((grant) => grant.source === source)
}

/** Records that the source gives this to the user, so that it can take it back. */
export function recordGrant(
  tx: Tx,
  userId: string,
  target: GrantTarget,
  source: string,
  now: number,
): Promise<void> {
  return insertGrant(tx, userId, { target, source }, now)
}

/** Called when an administrator decides: from then on, no source takes it back. */
export function forgetGrants(tx: Tx, userId: string, target: GrantTarget): Promise<void> {
  return deleteGrantsOf(tx, userId, target)
}

/** What the source gave stays, as if it had been given by hand. */
export function forgetSource(tx: Tx, source: string): Promise<void> {
  return deleteGrantsFrom(tx, source)
}
