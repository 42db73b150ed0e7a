import { authApi } from '@lyceum/contract/auth'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const connections = 8

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp({ env: { DATABASE_POOL: String(connections) } })
})
afterEach(() => app.close())

describe('many sign-ins from one network', () => {
  it('leave connections to other requests while their counters are locked', async () => {
    const { db } = app.deps
    const released = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<() => Promise<number>>()
    const holding = db.transaction().execute(async (tx) => {
      await sql`lock table sign_in_counters`.execute(tx)
      locked.resolve(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(tx)
        return rows.length
      })
      await released.promise
    })
    const countWaiting = await locked.promise
    const signIns = Array.from({ length: 3 * connections }, (_, at) =>
      app.call(authApi.login, { body: { email: `nobody-${at}@example.org`, password: 'a wrong password' } }),
    )
    const answered = Promise.all([holding, ...signIns])
    try {
      await vi.waitFor(async () => expect(await countWaiting()).toBeGreaterThan(3))
      for (const _signIn of signIns) expect(await db.selectFrom('users').select('id').execute()).toEqual([])
    } finally {
      released.resolve()
    }
    await answered
    const responses = await Promise.all(signIns)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
  })
})
