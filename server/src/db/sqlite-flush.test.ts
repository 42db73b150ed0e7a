import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Db, openDatabase } from './client.ts'
import { migrate } from './migrate.ts'

let folder: string
let db: Db
let flushes: { end: () => void; fail: (error: Error) => void }[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-flush-'))
  db = openDatabase({ sqlite: join(folder, 'lyceum.db'), makeRoom: () => true })
  await migrate(db)
  const file = await open(join(folder, 'any'), 'w')
  const prototype = Object.getPrototypeOf(file) as typeof file
  await file.close()
  const flushToDisk = prototype.datasync
  flushes = []
  vi.spyOn(prototype, 'datasync').mockImplementation(async function datasync(this: typeof file) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    flushes.push({ end: resolve, fail: reject })
    await promise
    return flushToDisk.call(this)
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const { end } of flushes) end()
  await db.destroy()
  await rm(folder, { recursive: true })
})

function write(key: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await tx.insertInto('settings').values({ key, value: '1', updated_at: 1 }).execute()
  })
}

async function listKeys(): Promise<string[]> {
  const rows = await db.selectFrom('settings').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key)
}

async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let settled = false
  function settle(): void {
    settled = true
  }
  work.then(settle, settle)
  await listKeys()
  await new Promise(setImmediate)
  return settled
}

describe('a write to SQLite', () => {
  it('is acknowledged only when the log is on the disk', async () => {
    const writing = write('a')
    await expect.poll(() => flushes.length).toBe(1)
    expect(await listKeys()).toEqual(['a'])
    expect(await isSettled(writing)).toBe(false)
    flushes[0]?.end()
    await writing
  })

  it('outside a transaction waits for the disk, too, if it changed a row', async () => {
    await db.deleteFrom('settings').where('key', '=', 'missing').execute()
    expect(flushes).toEqual([])
    const writing = db.insertInto('settings').values({ key: 'a', value: '1', updated_at: 1 }).execute()
    await expect.poll(() => flushes.length).toBe(1)
    expect(await isSettled(writing)).toBe(false)
    flushes[0]?.end()
    await writing
  })

  it('shares a flush with those that commit before it begins, not with one that runs', async () => {
    const first = write('a')
    await expect.poll(() => flushes.length).toBe(1)
    const others = [write('b'), write('c')]
    await expect.poll(listKeys).toEqual(['a', 'b', 'c'])
    flushes[0]?.end()
    await first
    await expect.poll(() => flushes.length).toBe(2)
    expect(await isSettled(Promise.race(others))).toBe(false)
    flushes[1]?.end()
    await Promise.all(others)
    expect(flushes).toHaveLength(2)
  })

  it('fails if the disk fails, is not repeated, and leaves other transactions alone', async () => {
    const failing = write('a')
    await expect.poll(() => flushes.length).toBe(1)
    const inside = Promise.withResolvers<void>()
    const other = db.transaction().execute(async (tx) => {
      await tx.insertInto('settings').values({ key: 'b', value: '1', updated_at: 1 }).execute()
      await inside.promise
    })
    flushes[0]?.fail(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))
    await expect(failing).rejects.toThrow('could not be flushed')
    inside.resolve()
    await expect.poll(() => flushes.length).toBe(2)
    flushes[1]?.end()
    await other
    expect(await listKeys()).toEqual(['a', 'b'])
  })

  it('does not flush after a transaction that only read', async () => {
    await db.transaction().execute((tx) => tx.selectFrom('settings').selectAll().execute())
    expect(flushes).toEqual([])
  })
})
