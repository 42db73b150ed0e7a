import type { Insertable, Selectable } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db, Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import type { DefinedJob } from './define-job.ts'

export type JobRow = Selectable<Database['jobs']>

/** How long a claimed job counts as being worked on without a sign of life, in milliseconds. */
export const leaseTime = 60_000

function row(
  name: string,
  payload: unknown,
  runAt: number,
  now: number,
  id: string,
): Insertable<Database['jobs']> {
  return {
    id,
    name,
    payload: JSON.stringify(payload),
    state: 'waiting',
    attempts: 0,
    run_at: runAt,
    lease_until: null,
    owner: null,
    fence: null,
    last_error: null,
    created_at: now,
  }
}

export interface JobQueue {
  /** Inside the transaction that makes the work necessary: both happen or neither. */
  add<D, P>(tx: Tx, job: DefinedJob<D, P>, payload: P, options?: { runAt?: number }): Promise<void>
  /** Called when a job is added, before its transaction has ended; the runner wakes by it. */
  onAdded(listener: () => void): void
  count(state: JobRow['state']): Promise<number>
  /** How many of one kind are still to be done or were given up. */
  countOf(name: string): Promise<{ pending: number; failed: number }>
  /** The newest of those that were given up. */
  failures(limit: number): Promise<JobRow[]>
  /** Begins with a job anew that was given up; its name, or null when it is none. */
  retry(tx: Tx, id: string): Promise<string | null>
}

export function createJobQueue(db: Db, now: () => number): JobQueue {
  let wake: () => void = () => undefined
  return {
    async add(tx, job, payload, options = {}) {
      const at = now()
      await tx
        .insertInto('jobs')
        .values(row(job.name, job.payload.parse(payload), options.runAt ?? at, at, uuidv7()))
        .execute()
      wake()
    },
    onAdded(listener) {
      wake = listener
    },
    async count(state) {
      const { jobs } = await db
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number>().as('jobs'))
        .where('state', '=', state)
        .executeTakeFirstOrThrow()
      return jobs
    },
    async countOf(name) {
      const rows = await db
        .selectFrom('jobs')
        .select(['state', (eb) => eb.fn.countAll<number>().as('jobs')])
        .where('state', 'in', ['waiting', 'running', 'failed'])
        .where('name', '=', name)
        .groupBy('state')
        .execute()
      function count(...states: string[]): number {
        return rows.filter(({ state }) => states.includes(state)).reduce((sum, { jobs }) => sum + jobs, 0)
      }
      return { pending: count('waiting', 'running'), failed: count('failed') }
    },
    failures: (limit) =>
      db
        .selectFrom('jobs')
        .selectAll()
        .where('state', '=', 'failed')
        .orderBy('run_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    async retry(tx, id) {
      const retried = await tx
        .updateTable('jobs')
        .set({ state: 'waiting', attempts: 0, run_at: now(), lease_until: null, fence: null })
        .where('id', '=', id)
        .where('state', '=', 'failed')
        .returning('name')
        .executeTakeFirst()
      if (retried) wake()
      return retried?.name ?? null
    },
  }
}

function slotOf(name: string, every: number, now: number): string {
  return `${name}@${Math.floor(now / every)}`
}

/**
 * One row per time slot, which stays as 'done' until the slot has passed: neither two processes nor one twice can
 * start the same run of a repeating job.
 */
export async function addRepeating(db: Executor, name: string, every: number, now: number): Promise<void> {
  const id = slotOf(name, every, now)
  const known = await db.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst()
  if (known) return
  await db
    .insertInto('jobs')
    .values(row(name, {}, now, now, id))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await db
    .deleteFrom('jobs')
    .where('name', '=', name)
    .where('state', '=', 'done')
    .where('id', '<>', id)
    .execute()
}

/** Takes the next due job, also one whose runner died. A conditional UPDATE: of two claims one wins. */
export async function claim(
  db: Executor,
  names: readonly string[],
  owner: string,
  now: number,
): Promise<JobRow | null> {
  const fence = uuidv7()
  const claimed = await db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running',
      lease_until: now + leaseTime,
      owner,
      fence,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('jobs')
        .select('id')
        .where('name', 'in', names)
        .where((due) =>
          due.or([
            due.and([due('state', '=', 'waiting'), due('run_at', '<=', now)]),
            due.and([due('state', '=', 'running'), due('lease_until', '<', now)]),
          ]),
        )
        .orderBy('run_at')
        .orderBy('id')
        .limit(1),
    )
    .where((eb) => eb.or([eb('state', '=', 'waiting'), eb('lease_until', '<', now)]))
    .returningAll()
    .executeTakeFirst()
  return claimed ?? null
}

export async function extendLease(db: Executor, job: JobRow, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ lease_until: now + leaseTime })
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function finish(db: Executor, job: JobRow, isRepeating: boolean): Promise<void> {
  if (!isRepeating) {
    await db.deleteFrom('jobs').where('id', '=', job.id).where('fence', '=', job.fence).execute()
    return
  }
  await db
    .updateTable('jobs')
    .set({ state: 'done', lease_until: null })
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .execute()
}

/** Another attempt at `retryAt`, or none: the row stays as 'failed'. */
export async function fail(db: Executor, job: JobRow, error: string, retryAt: number | null): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      state: retryAt === null ? 'failed' : 'waiting',
      run_at: retryAt ?? job.run_at,
      lease_until: null,
      last_error: error.slice(0, 2000),
    })
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .execute()
}

/** Frees what a node was working on when its process ended: called when it starts again, before its runner does. */
export async function releaseLeases(db: Executor, owner: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: 'waiting', lease_until: null, fence: null })
    .where('state', '=', 'running')
    .where('owner', '=', owner)
    .execute()
}

/** When the next waiting job becomes due, or a dead runner's lease ends. */
export async function nextDue(db: Executor, names: readonly string[]): Promise<number | null> {
  const found = await db
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn
        .min(eb.case().when('state', '=', 'waiting').then(eb.ref('run_at')).else(eb.ref('lease_until')).end())
        .as('at'),
    ])
    .where('name', 'in', names)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return found?.at ?? null
}
