import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { leasesIn } from '#db/lease.ts'
import type { Database } from '#db/schema.ts'

export type ReceiverRow = Selectable<Database['audit_receivers']>

export const receiverLeases = leasesIn('audit_receiver_leases')

export function listReceiverRows(db: Executor): Promise<ReceiverRow[]> {
  return db.selectFrom('audit_receivers').selectAll().orderBy('name').orderBy('id').execute()
}

export function findReceiverRow(db: Executor, id: string): Promise<ReceiverRow | undefined> {
  return db.selectFrom('audit_receivers').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertReceiver(
  tx: Tx,
  receiver: Insertable<Database['audit_receivers']>,
): Promise<void> {
  await tx.insertInto('audit_receivers').values(receiver).execute()
}

export async function updateReceiver(
  db: Executor,
  id: string,
  change: Updateable<Database['audit_receivers']>,
): Promise<void> {
  await db.updateTable('audit_receivers').set(change).where('id', '=', id).execute()
}

export async function deleteReceiver(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('audit_receivers').where('id', '=', id).execute()
}

/** The receivers that entries wait for and that may be tried now. */
export function listDueReceivers(db: Executor, now: number): Promise<ReceiverRow[]> {
  return db
    .selectFrom('audit_receivers')
    .selectAll()
    .where('retry_at', '<=', now)
    .where((eb) =>
      eb(
        'sent_seq',
        '<',
        eb.selectFrom('audit_log').select((log) => log.fn.max('seq').as('last')),
      ),
    )
    .execute()
}

/**
 * Records that the receiver has the entries up to `seq`. Only moves the position on from where the sender found it: one
 * that was suspended must not move it back.
 */
export async function recordSent(
  db: Executor,
  { id, sent_seq: from }: ReceiverRow,
  seq: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audit_receivers')
    .set({ sent_seq: seq, sent_at: now, failing_since: null, last_error: null, failures: 0, retry_at: 0 })
    .where('id', '=', id)
    .where('sent_seq', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How many entries come after a position. Stops counting at `limit`. */
export async function countAfter(db: Executor, seq: number, limit: number): Promise<number> {
  const { entries } = await db
    .selectFrom(db.selectFrom('audit_log').select('seq').where('seq', '>', seq).limit(limit).as('waiting'))
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  return entries
}

/** The position of the receiver that is furthest behind; null without receivers. */
export async function findLowestPosition(db: Executor): Promise<number | null> {
  const { lowest } = await db
    .selectFrom('audit_receivers')
    .select((eb) => eb.fn.min('sent_seq').as('lowest'))
    .executeTakeFirstOrThrow()
  return lowest
}

/** Lets others send at once what a server that has ended was sending. */
export async function releaseReceivers(db: Executor, owner: string): Promise<void> {
  await db.deleteFrom('audit_receiver_leases').where('owner', '=', owner).execute()
}
