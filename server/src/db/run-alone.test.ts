import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { runAlone } from './run-alone.ts'

let records: MigratedDatabase
beforeEach(async () => {
  records = await openMigratedDatabase()
})
afterEach(() => records.close())

/** Starts a task that ends on request, and waits until it runs. */
async function begin(name: string) {
  const started = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const run = runAlone(records.location, name, async () => {
    started.resolve()
    await released.promise
  })
  await started.promise
  return { run, release: released.resolve }
}

async function tryRun(name: string): Promise<boolean> {
  return runAlone(records.location, name, async () => undefined)
}

describe('a task that runs alone', () => {
  it('is skipped while one with the same name runs, and not while another one does', async () => {
    const { run, release } = await begin('backup')
    expect(await tryRun('backup')).toBe(false)
    expect(await tryRun('retention')).toBe(true)
    release()
    expect(await run).toBe(true)
    expect(await tryRun('backup')).toBe(true)
  })

  it('can run again after it failed', async () => {
    const failed = runAlone(records.location, 'backup', () => Promise.reject(new Error('no space')))
    await expect(failed).rejects.toThrow('no space')
    expect(await tryRun('backup')).toBe(true)
  })
})
