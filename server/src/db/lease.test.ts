import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { leasesIn } from './lease.ts'

const leases = leasesIn('history_exports')
let app: TestApp
let id: string
beforeEach(async () => {
  app = await buildTestApp()
  ;({ id } = await createUser(app.deps))
})
afterEach(() => app.close())

/** As if the owner had not renewed it for a minute. */
async function expire(): Promise<void> {
  await app.deps.db.updateTable('history_exports').set({ lease_until: 1 }).where('user_id', '=', id).execute()
}

it('gives a lease to one owner at a time', async () => {
  const { db, now } = app.deps
  const [first, second] = [uuidv7(), uuidv7()].map((owner) => ({ id, owner }))
  if (!first || !second) throw new Error('two owners')
  expect(await leases.take(db, first, now())).toBe(true)
  expect(await leases.take(db, second, now())).toBe(false)
  await expire()
  expect(await leases.renew(db, first, now())).toBe(true)
  expect(await leases.take(db, second, now())).toBe(false)
  await expire()
  expect(await leases.take(db, second, now())).toBe(true)
  expect(await leases.renew(db, first, now())).toBe(false)
  await leases.release(db, first)
  expect(await leases.renew(db, second, now())).toBe(true)
  await leases.release(db, second)
  expect(await leases.take(db, first, now())).toBe(true)
})
