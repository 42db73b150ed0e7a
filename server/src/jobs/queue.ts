import { type Insertable, type Selectable, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterCommit } from '#db/after-commit.ts'
import type { Db, Executor, Tx } from '#db/client.ts'
import { jobsChannel } from '#db/database-lock.ts'
import { databaseNow, notifying, takeUnlocked } from '#db/dialect.ts'
import { leaseEnd } from '#db/lease.ts'
import type { Database } from '#db/schema.ts'
import type { DefinedJob } from './define-job.ts'

export type JobRow = Selectable<Database['jobs']>

function createRow(
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
    created_at: now,
  }
}

export interface JobQueue {
  /** Adds the job in the caller's transaction, so that either both are committed or neither is. */
  add<D, P>(tx: Tx, job: DefinedJob<D, P>, payload: P, options?: { runAt?: number }): Promise<void>
  /** Makes a job that waits for its time, or has failed, due now, with all its retries. */
  hurry<D, P>(tx: Tx, job: DefinedJob<D, P>, payload: P): Promise<void>
  /** When the waiting jobs with these payloads are due, in the same order; null for those that do not wait. */
  findRunTimes<D, P>(job: DefinedJob<D, P>, payloads: readonly P[]): Promise<(number | null)[]>
  /** Calls the listener with the job's name when the transaction that added it has committed. It wakes the runner. */
  onAdded(listener: (name: string) => void): void
  /** Takes a notification from PostgreSQL about an added job. Those of this queue have called the listener already. */
  receive(notification: string): void
  count(state: JobRow['state']): Promise<number>
  /** `pending` includes running jobs. */
  countByName(name: string): Promise<{ pending: number; failed: number }>
  /** Newest first. */
  listFailures(limit: number): Promise<JobRow[]>
  /** Restarts a failed job. Returns its name, or null if there is no such failed job. */
  retry(tx: Tx, id: string): Promise<string | null>
}

export function createJobQueue(db: Db, now: () => number): JobQueue {
  const queueId = uuidv7()
  let wake: (name: string) => void = () => undefined

  /** Tells other processes about the row that the statement writes. */
  function announce(tx: Tx) {
    return notifying(tx, jobsChannel, sql`${`${queueId} `} || name`).as('announced')
  }

  return {
    async add(tx, job, payload, options = {}) {
      const at = now()
      await tx
        .insertInto('jobs')
        .values(createRow(job.name, job.payload.parse(payload), options.runAt ?? at, at, uuidv7()))
        .returning(announce(tx))
        .execute()
      afterCommit(tx, () => wake(job.name))
    },
    async hurry(tx, job, payload) {
      const hurried = await tx
        .updateTable('jobs')
        .set({ state: 'waiting', attempts: 0, run_at: now() })
        .where('name', '=', job.name)
        .where('payload', '=', JSON.stringify(job.payload.parse(payload)))
        .where('state', 'in', ['waiting', 'failed'])
        .returning(announce(tx))
        .executeTakeFirst()
      if (hurried) afterCommit(tx, () => wake(job.name))
    },
    async findRunTimes(job, payloads) {
      if (payloads.length === 0) return []
      const texts = payloads.map((payload) => JSON.stringify(job.payload.parse(payload)))
      const rows = await db
        .selectFrom('jobs')
        .select(['payload', 'run_at'])
        .where('name', '=', job.name)
        .where('payload', 'in', texts)
        .where('state', '=', 'waiting')
        .execute()
      const runTimes = new Map(rows.map(({ payload, run_at }) => [payload, run_at]))
      return texts.map((text) => runTimes.get(text) ?? null)
    },
    onAdded(listener) {
      wake = listener
    },
    receive(notification) {
      const [sender, name] = notification.split(' ')
      if (sender !== queueId && name !== undefined) wake(name)
    },
    async count(state) {
      const { jobs } = await db
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number>().as('jobs'))
        .where('state', '=', state)
        .executeTakeFirstOrThrow()
      return jobs
    },
    async countByName(name) {
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
    listFailures: (limit) =>
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
        .returning(['name', announce(tx)])
        .executeTakeFirst()
      if (retried) afterCommit(tx, () => wake(retried.name))
      return retried?.name ?? null
    },
  }
}

function getSlotId(name: string, every: number, now: number): string {
  return `${name}@${Math.floor(now / every)}`
}

/** The slot of a server whose clock is ahead by less, in milliseconds, counts as the current one. */
const slotTolerance = 60_000

/**
 * Adds one row per time slot and keeps it as 'done' until the slot has passed, so that the same run of a repeating job
 * cannot start twice, even in two processes. A process whose clock is behind leaves the next slot alone, which another one
 * has begun: it would delete that row and add the previous one again.
 */
export async function addRepeating(db: Executor, name: string, every: number, now: number): Promise<void> {
  const id = getSlotId(name, every, now)
  const slotEnd = (Math.floor(now / every) + 1) * every
  const known = await db
    .selectFrom('jobs')
    .select('id')
    .where('name', '=', name)
    .where((eb) =>
      eb.or([
        eb('id', '=', id),
        eb.and([eb('created_at', '>=', slotEnd), eb('created_at', '<=', now + slotTolerance)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (known) return
  await db
    .insertInto('jobs')
    .values(createRow(name, {}, now, now, id))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await db
    .deleteFrom('jobs')
    .where('name', '=', name)
    .where('state', '=', 'done')
    .where('id', '<>', id)
    .execute()
}

/**
 * Claims the next due job, or one whose runner died. The UPDATE is conditional, so only one of two claims wins; on
 * PostgreSQL the other one takes the next job instead of nothing.
 */
export async function claimJob(
  db: Executor,
  names: readonly string[],
  owner: string,
  now: number,
): Promise<JobRow | null> {
  const fence = uuidv7()
  const databaseTime = databaseNow(db, now)
  const claimed = await db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running',
      lease_until: leaseEnd(db, now),
      owner,
      fence,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', (eb) =>
      takeUnlocked(
        db,
        eb
          .selectFrom('jobs')
          .select('id')
          .where('name', 'in', names)
          .where((due) =>
            due.or([
              due.and([due('state', '=', 'waiting'), due('run_at', '<=', now)]),
              due.and([due('state', '=', 'running'), due('lease_until', '<', databaseTime)]),
            ]),
          )
          .orderBy('run_at')
          .orderBy('id')
          .limit(1),
      ),
    )
    .where((eb) => eb.or([eb('state', '=', 'waiting'), eb('lease_until', '<', databaseTime)]))
    .returningAll()
    .executeTakeFirst()
  return claimed ?? null
}

export async function extendLease(db: Executor, job: JobRow, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ lease_until: leaseEnd(db, now) })
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function finishJob(db: Executor, job: JobRow, isRepeating: boolean): Promise<void> {
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

/** Schedules a retry at `retryAt`. If it is null, marks the job as failed and keeps its row. */
export async function failJob(
  db: Executor,
  job: JobRow,
  error: string,
  retryAt: number | null,
): Promise<void> {
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

/** Releases the jobs of a node except those that it is running, if any: the others were lost. */
export async function releaseLeases(
  db: Executor,
  owner: string,
  running: readonly string[] = [],
): Promise<void> {
  const update = db
    .updateTable('jobs')
    .set({ state: 'waiting', lease_until: null, fence: null })
    .where('state', '=', 'running')
    .where('owner', '=', owner)
  await (running.length === 0 ? update : update.where('id', 'not in', running)).execute()
}

/**
 * Returns in how many milliseconds the next waiting job is due or the next lease expires, whichever is sooner. Jobs are
 * due by the time of this process, and leases expire by that of the database.
 */
export async function findNextDelay(
  db: Executor,
  names: readonly string[],
  now: number,
): Promise<number | null> {
  if (names.length === 0) return null
  const delay = sql<number | null>`min(
    case when state = 'waiting' then run_at - ${now} else lease_until - ${databaseNow(db, now)} end)`
  const found = await db
    .selectFrom('jobs')
    .select(delay.as('delay'))
    .where('name', 'in', names)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return found?.delay ?? null
}
