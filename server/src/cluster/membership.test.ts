import { sql } from 'kysely'
import pino from 'pino'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { SchemaIsNewer } from '#db/migrate.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { createClusterState, hasWorker } from './cluster-state.ts'
import { joinCluster, type Membership, NodeLeaseLost } from './membership.ts'
import { insertNode, listNodes, type NodeIdentity, renewNode, requireNoEarlierServer } from './node-store.ts'

let records: MigratedDatabase
let members: Membership[]
let takenOver: string[]
beforeEach(async () => {
  records = await openMigratedDatabase()
  members = []
  takenOver = []
})
afterEach(async () => {
  for (const member of members) await member.leave()
  await records.close()
})

function describeNode(name: string, role: NodeIdentity['role'] = 'all') {
  return { id: uuidv7(), name, role, version: '1.2.3', newest_step: null }
}

async function join(
  name: string,
  { db = records.db, failures = 0, role = 'all' as NodeIdentity['role'] } = {},
) {
  const node = describeNode(name, role)
  const state = createClusterState()
  let left = failures
  const member = await joinCluster(node, {
    db,
    log: pino({ level: 'silent' }),
    now: Date.now,
    state,
    async takeOver(id) {
      left -= 1
      if (left >= 0) throw new Error('no')
      takenOver.push(id)
    },
  })
  members.push(member)
  return { ...node, ...member, state }
}

/** Inserts a node that has not renewed its lease for a long time. */
async function insertDead(): Promise<string> {
  const node = describeNode('dead')
  await insertNode(records.db, node, Date.now())
  await expire(node.id)
  return node.id
}

async function expire(id: string): Promise<void> {
  await records.db.updateTable('nodes').set({ lease_until: 1 }).where('id', '=', id).execute()
}

async function listNames(): Promise<string[]> {
  return (await listNodes(records.db)).map(({ name }) => name)
}

describe('a node of a cluster', () => {
  it('takes over the work of a dead node once, and removes it', async () => {
    const id = await insertDead()
    await join('first')
    await expect.poll(listNames).toEqual(['first'])
    expect(takenOver).toEqual([id])
  })

  it('tries again when it could not take over', async () => {
    const id = await insertDead()
    await join('first', { failures: 1 })
    await expect.poll(listNames).toEqual(['first'])
    expect(takenOver).toEqual([id])
  })

  it('leaves a node alone that renews its lease', async () => {
    const first = await join('first')
    const [before] = await listNodes(records.db)
    await join('second')
    await expect.poll(async () => (await listNodes(records.db))[0]?.seen_at).not.toBe(before?.seen_at)
    expect(takenOver).toEqual([])
    expect(await renewNode(records.db, first.id, Date.now())).not.toBeNull()
  })

  it('hands its work to the others when it leaves', async () => {
    const first = await join('first')
    await join('second')
    await first.leave()
    await expect.poll(listNames).toEqual(['second'])
    expect(takenOver).toEqual([first.id])
  })

  it('that runs no jobs notices for how long it has seen no server that does', async () => {
    const { state } = await join('web', { role: 'web' })
    const joinedAt = state.workerSeenAt
    expect([59_000, 61_000].map((later) => hasWorker(state, joinedAt + later))).toEqual([true, false])
    await join('other', { role: 'web' })
    const worker = await join('worker', { role: 'worker' })
    await expect.poll(() => state.workerSeenAt).toBeGreaterThan(joinedAt)
    await worker.leave()
    const leftAt = performance.now()
    await expect.poll(listNames).toEqual(['other', 'web'])
    expect(state.workerSeenAt).toBeLessThan(leftAt)
    expect(worker.state.workerSeenAt).toBe(Number.POSITIVE_INFINITY)
  })

  it('cannot renew a lease that has expired, and learns that it was declared dead', async () => {
    const first = await join('first')
    await expire(first.id)
    expect(await renewNode(records.db, first.id, Date.now())).toBeNull()
    const error = await first.lost
    expect(error).toBeInstanceOf(NodeLeaseLost)
    expect(error.message).toMatch(/^This server was declared dead\./)
  })

  it('declares itself dead when it cannot reach the database', async () => {
    const db = openDatabase(records.location)
    const { lost } = await join('first', { db })
    await db.destroy()
    expect((await lost).message).toMatch(/^This server could not renew its lease for 6 seconds\./)
  })
})

describe('a step that removes something', () => {
  async function insertServer(name: string, newest_step: string | null): Promise<string> {
    const node = { ...describeNode(name), newest_step }
    await insertNode(records.db, node, Date.now())
    return node.id
  }

  function contract(): Promise<void> {
    return records.db
      .transaction()
      .execute((tx) => requireNoEarlierServer(tx, '0030-contract-names', Date.now()))
  }

  it('is refused while servers that do not know it are alive, which the refusal names', async () => {
    const first = await insertServer('first', null)
    const second = await insertServer('second', '0029-expand-names')
    await insertServer('third', '0030-contract-names')
    await insertServer('fourth', '0031-expand-others')
    await expect(contract()).rejects.toThrow(
      'because servers of an earlier version are running: first (1.2.3), second (1.2.3). Replace or stop them first.',
    )
    await expire(first)
    await expect(contract()).rejects.toThrow('running: second (1.2.3). Replace')
    await expire(second)
    await contract()
  })

  it('keeps servers from joining while it runs on PostgreSQL, and those that do not know it from joining at all', async () => {
    if (!('postgres' in records.location)) return
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const contracting = records.db.transaction().execute(async (tx) => {
      await requireNoEarlierServer(tx, '9999-contract-names', Date.now())
      await sql`insert into kysely_migration (name, timestamp) values ('9999-contract-names', '2099-01-01')`.execute(
        tx,
      )
      begun.resolve()
      await end.promise
    })
    await begun.promise
    const joining = insertServer('late', '0029-expand-names')
    const waiting = sql`select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`
    await expect.poll(async () => (await waiting.execute(records.db)).rows.length).toBe(1)
    end.resolve()
    await contracting
    await expect(joining).rejects.toThrow(SchemaIsNewer)
    expect(await listNames()).toEqual([])
  })
})
