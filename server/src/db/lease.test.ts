import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { leaseMs, leasesIn } from './lease.ts'

const leases = leasesIn('history_exports')
let app: TestApp
let id: string
beforeEach(async () => {
  app = await buildTestApp()
  ;({ id } = await createUser(app.deps))
})
afterEach(() => app.close())

it('gives a lease to one owner at a time', async () => {
  const { db } = app.deps
  const [first, second] = [uuidv7(), uuidv7()].map((owner) => ({ id, owner }))
  if (!first || !second) throw new Error('two owners')
  expect(await leases.take(db, first, 0)).toBe(true)
  expect(await leases.take(db, second, leaseMs - 1)).toBe(false)
  expect(await leases.renew(db, first, 1)).toBe(true)
  expect(await leases.take(db, second, leaseMs)).toBe(false)
  expect(await leases.take(db, second, leaseMs + 1)).toBe(true)
  expect(await leases.renew(db, first, leaseMs + 2)).toBe(false)
  await leases.release(db, first)
  expect(await leases.renew(db, second, leaseMs + 2)).toBe(true)
  await leases.release(db, second)
  expect(await leases.take(db, first, leaseMs + 3)).toBe(true)
})
