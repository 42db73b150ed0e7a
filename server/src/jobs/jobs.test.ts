import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openTestRecords, type TestRecords } from '#testing/records.ts'
import { type DefinedJob, defineJob } from './define-job.ts'
import {
  addRepeating,
  claim,
  createJobQueue,
  extendLease,
  finish,
  leaseTime,
  releaseLeases,
} from './queue.ts'
import { createJobRunner, type RunnerDeps } from './runner.ts'

let records: TestRecords
let clock = 1_000_000
beforeEach(async () => {
  clock = 1_000_000
  records = await openTestRecords()
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
  it('is not there when its transaction fails', async () => {
    const queue = createJobQueue(records.db, () => clock)
    const failing = records.db.transaction().execute(async (tx) => {
      await queue.add(tx, note, { text: 'never' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await jobs()).toEqual([])
  })

  it('must carry what its definition says', async () => {
    await expect(add(note, { text: 1 } as never)).rejects.toThrow()
    expect(await jobs()).toEqual([])
  })

  it('runs once and is gone', async () => {
    const given = deps()
    await add(note, { text: 'hello' })
    await createJobRunner(given, [note]).runUntilIdle()
    expect(given.ran).toEqual(['hello 1'])
    expect(await jobs()).toEqual([])
  })

  it('is tried again after its delays, and its last failure stays to be seen', async () => {
    const given = deps()
    const runner = createJobRunner(given, [note])
    await add(note, { text: 'fails' })
    await runner.runUntilIdle()
    await runner.runUntilIdle()
    expect(given.ran).toEqual(['fails 1'])
    clock += 1000
    await runner.runUntilIdle()
    clock += 5000
    await runner.runUntilIdle()
    expect(given.ran).toEqual(['fails 1', 'fails 2', 'fails 3 last'])
    expect(await jobs()).toMatchObject([{ state: 'failed', last_error: 'Error: cannot', attempts: 3 }])
    clock += 1_000_000
    await runner.runUntilIdle()
    expect(given.ran).toHaveLength(3)
  })

  it('is claimed by one of two runners', async () => {
    await add(note, { text: 'one' })
    const claims = await Promise.all([
      claim(records.db, ['note'], 'this', clock),
      claim(records.db, ['note'], 'this', clock),
    ])
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('of a dead runner is taken over, and the dead one can no longer finish it', async () => {
    await add(note, { text: 'one' })
    const dead = await claim(records.db, ['note'], 'this', clock)
    if (!dead) throw new Error('nothing was claimed')
    expect(await claim(records.db, ['note'], 'this', clock)).toBeNull()
    clock += leaseTime + 1
    const taken = await claim(records.db, ['note'], 'this', clock)
    expect(taken?.attempts).toBe(2)
    expect(await extendLease(records.db, dead, clock)).toBe(false)
    await finish(records.db, dead, false)
    expect(await jobs()).toHaveLength(1)
  })

  it('of a process that ended is free when its node starts again, and not when another one does', async () => {
    await add(note, { text: 'one' })
    await claim(records.db, ['note'], 'this', clock)
    await releaseLeases(records.db, 'another')
    expect(await claim(records.db, ['note'], 'this', clock)).toBeNull()
    await releaseLeases(records.db, 'this')
    expect(await claim(records.db, ['note'], 'this', clock)).not.toBeNull()
  })

  it('of a name nobody knows here is left alone', async () => {
    await add(note, { text: 'one' })
    expect(await claim(records.db, ['other'], 'this', clock)).toBeNull()
  })
})

describe('a runner', () => {
  it('refuses two jobs of one name', () => {
    expect(() => createJobRunner(deps(), [note, note])).toThrow('two jobs are called note')
  })

  it('starts a repeating job once per time slot, however many ask', async () => {
    const given = deps()
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
    await createJobRunner(given, [sweep]).runUntilIdle()
    expect(given.ran).toEqual(['sweep'])
    clock += 1000
    await createJobRunner(given, [sweep]).runUntilIdle()
    expect(given.ran).toEqual(['sweep', 'sweep'])
    expect(await jobs()).toHaveLength(1)
  })

  it('wakes for an added job and stops when told', async () => {
    const given = deps()
    const queue = createJobQueue(records.db, () => clock)
    const runner = createJobRunner(given, [note])
    queue.onAdded(() => runner.wake())
    runner.start()
    await records.db.transaction().execute((tx) => queue.add(tx, note, { text: 'now' }))
    await expect.poll(() => given.ran).toEqual(['now 1'])
    await expect.poll(jobs).toEqual([])
    await runner.stop()
  })
})
