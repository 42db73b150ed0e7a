import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { leaseMs } from '#db/lease.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { type DefinedJob, defineJob } from './define-job.ts'
import { addRepeating, claim, createJobQueue, extendLease, finish, releaseLeases } from './queue.ts'
import { createJobRunner, type RunnerDeps } from './runner.ts'

let records: MigratedDatabase
let clock = 1_000_000
beforeEach(async () => {
  clock = 1_000_000
  records = await openMigratedDatabase()
})
afterEach(() => records.close())

interface TestDeps extends RunnerDeps {
  ran: string[]
}

function deps(): TestDeps {
  return {
    db: records.db,
    log: pino({ level: 'silent' }),
    now: () => clock,
    nodeId: 'this',
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

function add<P>(job: DefinedJob<TestDeps, P>, payload: P) {
  return records.db
    .transaction()
    .execute((tx) => createJobQueue(records.db, () => clock).add(tx, job, payload))
}

function jobs() {
  return records.db.selectFrom('jobs').selectAll().execute()
}

describe('a job', () => {
  it('is not added when its transaction fails', async () => {
    const queue = createJobQueue(records.db, () => clock)
    const failing = records.db.transaction().execute(async (tx) => {
      await queue.add(tx, note, { text: 'never' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await jobs()).toEqual([])
  })

  it('must match the payload schema of its definition', async () => {
    await expect(add(note, { text: 1 } as never)).rejects.toThrow()
    expect(await jobs()).toEqual([])
  })

  it('runs once and is removed', async () => {
    const testDeps = deps()
    await add(note, { text: 'hello' })
    await createJobRunner(testDeps, [note]).runUntilIdle()
    expect(testDeps.ran).toEqual(['hello 1'])
    expect(await jobs()).toEqual([])
  })

  it('is retried after its delays and stays as failed after the last attempt', async () => {
    const testDeps = deps()
    const runner = createJobRunner(testDeps, [note])
    await add(note, { text: 'fails' })
    await runner.runUntilIdle()
    await runner.runUntilIdle()
    expect(testDeps.ran).toEqual(['fails 1'])
    clock += 1000
    await runner.runUntilIdle()
    clock += 5000
    await runner.runUntilIdle()
    expect(testDeps.ran).toEqual(['fails 1', 'fails 2', 'fails 3 last'])
    expect(await jobs()).toMatchObject([{ state: 'failed', last_error: 'Error: cannot', attempts: 3 }])
    clock += 1_000_000
    await runner.runUntilIdle()
    expect(testDeps.ran).toHaveLength(3)
  })

  it('is claimed by only one of two runners', async () => {
    await add(note, { text: 'one' })
    const claims = await Promise.all([
      claim(records.db, ['note'], 'this', clock),
      claim(records.db, ['note'], 'this', clock),
    ])
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('is taken over from a dead runner, which can no longer finish it', async () => {
    await add(note, { text: 'one' })
    const dead = await claim(records.db, ['note'], 'this', clock)
    if (!dead) throw new Error('nothing was claimed')
    expect(await claim(records.db, ['note'], 'this', clock)).toBeNull()
    clock += leaseMs + 1
    const taken = await claim(records.db, ['note'], 'this', clock)
    expect(taken?.attempts).toBe(2)
    expect(await extendLease(records.db, dead, clock)).toBe(false)
    await finish(records.db, dead, false)
    expect(await jobs()).toHaveLength(1)
  })

  it('is released when its own node restarts, but not when another one does', async () => {
    await add(note, { text: 'one' })
    await claim(records.db, ['note'], 'this', clock)
    await releaseLeases(records.db, 'another')
    expect(await claim(records.db, ['note'], 'this', clock)).toBeNull()
    await releaseLeases(records.db, 'this')
    expect(await claim(records.db, ['note'], 'this', clock)).not.toBeNull()
  })

  it('is not claimed under another name', async () => {
    await add(note, { text: 'one' })
    expect(await claim(records.db, ['other'], 'this', clock)).toBeNull()
  })
})

describe('a runner', () => {
  it('rejects two jobs with the same name', () => {
    expect(() => createJobRunner(deps(), [note, note])).toThrow('Duplicate job name: note')
  })

  it('starts a repeating job once per time slot', async () => {
    const testDeps = deps()
    const sweep = defineJob({
      name: 'sweep',
      payload: z.object({}),
      retryDelays: [],
      every: 1000,
      handler: async ({ ran }: TestDeps) => void ran.push('sweep'),
    })
    await addRepeating(records.db, 'sweep', 1000, clock)
    await addRepeating(records.db, 'sweep', 1000, clock + 999)
    expect(await jobs()).toHaveLength(1)
    await createJobRunner(testDeps, [sweep]).runUntilIdle()
    expect(testDeps.ran).toEqual(['sweep'])
    clock += 1000
    await createJobRunner(testDeps, [sweep]).runUntilIdle()
    expect(testDeps.ran).toEqual(['sweep', 'sweep'])
    expect(await jobs()).toHaveLength(1)
  })

  it('claims a different job than other runners do at the same time', async () => {
    for (const text of ['one', 'two', 'three']) await add(note, { text })
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((owner) => claim(records.db, ['note'], owner, clock)),
    )
    expect(new Set(claims.map((claimed) => claimed?.id)).size).toBe(3)
    expect(claims).not.toContain(null)
  })

  it('is woken after the transaction that added a job has committed', async () => {
    const queue = createJobQueue(records.db, () => clock)
    let woken = 0
    queue.onAdded(() => {
      woken += 1
    })
    await records.db.transaction().execute(async (tx) => {
      await queue.add(tx, note, { text: 'now' })
      expect(woken).toBe(0)
    })
    expect(woken).toBe(1)
    const failing = records.db.transaction().execute(async (tx) => {
      await queue.add(tx, note, { text: 'never' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(woken).toBe(1)
  })

  it('wakes up for an added job and stops on request', async () => {
    const testDeps = deps()
    const queue = createJobQueue(records.db, () => clock)
    const runner = createJobRunner(testDeps, [note])
    queue.onAdded(() => runner.wake())
    runner.start()
    await records.db.transaction().execute((tx) => queue.add(tx, note, { text: 'now' }))
    await expect.poll(() => testDeps.ran).toEqual(['now 1'])
    await expect.poll(jobs).toEqual([])
    await runner.stop()
  })
})
