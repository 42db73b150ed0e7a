import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { type DefinedJob, defineJob } from './define-job.ts'
import { addRepeating, claimJob, createJobQueue, extendLease, finishJob, releaseLeases } from './queue.ts'
import { createJobRunner, type RunnerDeps } from './runner.ts'

let database: MigratedDatabase
let clock = 1_000_000
beforeEach(async () => {
  clock = 1_000_000
  database = await openMigratedDatabase()
})
afterEach(() => database.close())

interface TestDeps extends RunnerDeps {
  ran: string[]
}

function createDeps(): TestDeps {
  return {
    db: database.db,
    log: pino({ level: 'silent' }),
    now: () => clock,
    nodeId: 'this-node',
    ran: [],
  }
}

const note = defineJob({
  name: 'note',
  payload: z.object({ text: z.string() }),
  retryDelays: [1000, 5000],
  async handler({ ran }: TestDeps, { text }, { attempt, isLastAttempt }) {
    ran.push(`${text} ${attempt}${isLastAttempt ? ' last' : ''}`)
    if (text.startsWith('fails')) throw new Error('cannot')
  },
})

function addJob<P>(job: DefinedJob<TestDeps, P>, payload: P) {
  return database.db
    .transaction()
    .execute((tx) => createJobQueue(database.db, () => clock).add(tx, job, payload))
}

function listJobs() {
  return database.db.selectFrom('jobs').selectAll().orderBy('id').execute()
}

describe('a job', () => {
  it('is not added when its transaction fails', async () => {
    const queue = createJobQueue(database.db, () => clock)
    const failing = database.db.transaction().execute(async (tx) => {
      await queue.add(tx, note, { text: 'never' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await listJobs()).toEqual([])
  })

  it('must match the payload schema of its definition', async () => {
    await expect(addJob(note, { text: 1 } as never)).rejects.toThrow()
    expect(await listJobs()).toEqual([])
  })

  it('runs once and is removed', async () => {
    const testDeps = createDeps()
    await addJob(note, { text: 'hello' })
    await createJobRunner(testDeps, [note]).runUntilIdle()
    expect(testDeps.ran).toEqual(['hello 1'])
    expect(await listJobs()).toEqual([])
  })

  it('is retried after its delays and remains failed after the last attempt', async () => {
    const testDeps = createDeps()
    const runner = createJobRunner(testDeps, [note])
    await addJob(note, { text: 'fails' })
    await runner.runUntilIdle()
    await runner.runUntilIdle()
    expect(testDeps.ran).toEqual(['fails 1'])
    clock += 1000
    await runner.runUntilIdle()
    clock += 5000
    await runner.runUntilIdle()
    expect(testDeps.ran).toEqual(['fails 1', 'fails 2', 'fails 3 last'])
    expect(await listJobs()).toMatchObject([{ state: 'failed', last_error: 'Error: cannot', attempts: 3 }])
    clock += 1_000_000
    await runner.runUntilIdle()
    expect(testDeps.ran).toHaveLength(3)
  })

  it('is claimed by only one of two runners', async () => {
    await addJob(note, { text: 'one' })
    const claims = await Promise.all([
      claimJob(database.db, ['note'], 'this-node', clock),
      claimJob(database.db, ['note'], 'this-node', clock),
    ])
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('is taken over from a dead runner, which can no longer finish it', async () => {
    await addJob(note, { text: 'one' })
    const dead = await claimJob(database.db, ['note'], 'this-node', clock)
    if (!dead) throw new Error('nothing was claimed')
    expect(await claimJob(database.db, ['note'], 'this-node', clock)).toBeNull()
    await database.db.updateTable('jobs').set({ lease_until: 1 }).execute()
    const taken = await claimJob(database.db, ['note'], 'this-node', clock)
    expect(taken?.attempts).toBe(2)
    expect(await extendLease(database.db, dead, clock)).toBe(false)
    await finishJob(database.db, dead, false)
    expect(await listJobs()).toHaveLength(1)
  })

  it('is released when its own node restarts, but not when another node does', async () => {
    await addJob(note, { text: 'one' })
    await claimJob(database.db, ['note'], 'this-node', clock)
    await releaseLeases(database.db, 'other-node')
    expect(await claimJob(database.db, ['note'], 'this-node', clock)).toBeNull()
    await releaseLeases(database.db, 'this-node')
    expect(await claimJob(database.db, ['note'], 'this-node', clock)).not.toBeNull()
  })

  it('is not claimed under another name', async () => {
    await addJob(note, { text: 'one' })
    expect(await claimJob(database.db, ['other'], 'this-node', clock)).toBeNull()
  })
})

describe('a runner', () => {
  it('rejects two jobs with the same name', () => {
    expect(() => createJobRunner(createDeps(), [note, note])).toThrow('Duplicate job name: note')
  })

  it('starts a repeating job once per time slot', async () => {
    const testDeps = createDeps()
    const sweep = defineJob({
      name: 'sweep',
      payload: z.object({}),
      retryDelays: [],
      every: 1000,
      handler: async ({ ran }: TestDeps) => void ran.push('sweep'),
    })
    await addRepeating(database.db, 'sweep', 1000, clock)
    await addRepeating(database.db, 'sweep', 1000, clock + 999)
    expect(await listJobs()).toHaveLength(1)
    await createJobRunner(testDeps, [sweep]).runUntilIdle()
    expect(testDeps.ran).toEqual(['sweep'])
    clock += 1000
    await createJobRunner(testDeps, [sweep]).runUntilIdle()
    expect(testDeps.ran).toEqual(['sweep', 'sweep'])
    expect(await listJobs()).toHaveLength(1)
  })

  it('runs a time slot once, although the clocks of two processes differ', async () => {
    const sweep = defineJob({
      name: 'sweep',
      payload: z.object({}),
      retryDelays: [],
      every: 100_000,
      handler: async ({ ran }: TestDeps) => void ran.push('sweep'),
    })
    const testDeps = createDeps()
    const [ahead, behind] = [20_000, 0].map((skew) =>
      createJobRunner(testDeps, [sweep], { now: () => clock + skew }),
    )
    for (let seconds = 0; seconds < 200; seconds += 10) {
      await ahead?.runUntilIdle()
      await behind?.runUntilIdle()
      clock += 10_000
    }
    expect(testDeps.ran).toHaveLength(3)
  })

  it('runs the slot of the corrected clock after the clock was far ahead', async () => {
    await addRepeating(database.db, 'sweep', 1000, clock + 3_600_000)
    await addRepeating(database.db, 'sweep', 1000, clock)
    expect((await listJobs()).map(({ created_at }) => created_at)).toContain(clock)
  })

  it('never claims a job that another runner claims at the same time', async () => {
    for (const text of ['one', 'two', 'three']) await addJob(note, { text })
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((owner) => claimJob(database.db, ['note'], owner, clock)),
    )
    expect(new Set(claims.map((claimed) => claimed?.id)).size).toBe(3)
    expect(claims).not.toContain(null)
  })

  it('is woken after the transaction that added a job has committed', async () => {
    const queue = createJobQueue(database.db, () => clock)
    const woken: string[] = []
    queue.onAdded((name) => woken.push(name))
    await database.db.transaction().execute(async (tx) => {
      await queue.add(tx, note, { text: 'now' })
      expect(woken).toEqual([])
    })
    expect(woken).toEqual(['note'])
    const failing = database.db.transaction().execute(async (tx) => {
      await queue.add(tx, note, { text: 'never' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(woken).toEqual(['note'])
  })

  it('does not let the jobs of one lane delay those of another', async () => {
    const testDeps = createDeps()
    const released = Promise.withResolvers<void>()
    const stuck = defineJob({
      name: 'stuck',
      payload: z.object({}),
      retryDelays: [],
      lane: 'slow',
      handler: () => released.promise,
    })
    await addJob(stuck, {})
    await addJob(stuck, {})
    await addJob(note, { text: 'now' })
    const runner = createJobRunner(testDeps, [stuck, note])
    runner.start()
    await expect.poll(() => testDeps.ran).toEqual(['now 1'])
    // The job that ran is removed a moment later.
    await expect.poll(listJobs).toMatchObject([{ state: 'running' }, { state: 'waiting' }])
    released.resolve()
    await expect.poll(listJobs).toEqual([])
    await runner.stop()
  })

  it('that is due later runs at its time', async () => {
    const testDeps = { ...createDeps(), now: Date.now }
    const queue = createJobQueue(database.db, Date.now)
    const runner = createJobRunner(testDeps, [note])
    runner.start()
    const runAt = Date.now() + 100
    await database.db.transaction().execute((tx) => queue.add(tx, note, { text: 'later' }, { runAt }))
    runner.wake('note')
    await expect.poll(() => testDeps.ran).toEqual(['later 1'])
    expect(Date.now()).toBeGreaterThanOrEqual(runAt)
    await runner.stop()
  })

  it('wakes up for an added job and stops on request', async () => {
    const testDeps = createDeps()
    const queue = createJobQueue(database.db, () => clock)
    const runner = createJobRunner(testDeps, [note])
    queue.onAdded((name) => runner.wake(name))
    runner.start()
    await database.db.transaction().execute((tx) => queue.add(tx, note, { text: 'now' }))
    await expect.poll(() => testDeps.ran).toEqual(['now 1'])
    await expect.poll(listJobs).toEqual([])
    await runner.stop()
  })
})
