import { authApi } from '@lyceum/contract/auth'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isPostgres } from '#db/dialect.ts'
import { createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createSessionTouches } from './session-touches.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

let app: TestApp
let user: TestUser
let signedInAt: number
beforeEach(async () => {
  app = await buildTestApp({ stopsClock: true })
  app.useFirstServer()
  user = await createUser(app.deps)
  signedInAt = app.deps.now()
})
afterEach(() => app.close())

async function call(as = user): Promise<number> {
  return (await app.call(authApi.me, { as })).status
}

async function readSession(as = user) {
  return app.deps.db
    .selectFrom('sessions')
    .select(['id', 'last_seen_at'])
    .where('user_id', '=', as.id)
    .executeTakeFirst()
}

async function readLastSeen(as = user): Promise<number | undefined> {
  return (await readSession(as))?.last_seen_at
}

/** Makes every change of a session fail until the returned function is called. */
async function breakUpdates(): Promise<() => Promise<void>> {
  const { db } = app.deps
  async function run(...statements: string[]): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
  if (!isPostgres(db as unknown as Kysely<unknown>)) {
    await run(`create trigger broken before update on sessions begin select raise(abort, 'broken'); end`)
    return () => run('drop trigger broken')
  }
  await run(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
    'create trigger broken before update on sessions for each statement execute function fail()',
  )
  return () => run('drop trigger broken on sessions')
}

describe('the time at which a session was last seen', () => {
  it('does not revive a session that has ended meanwhile', async () => {
    app.advance(2 * minute)
    expect(await call()).toBe(200)
    expect((await app.call(authApi.logout, { as: user })).status).toBe(204)
    await app.deps.sessionTouches.write()
    expect(await readSession()).toBeUndefined()
    expect(await call()).toBe(401)
  })

  it('does not move backwards', async () => {
    app.advance(2 * minute)
    expect(await call()).toBe(200)
    const later = app.deps.now() + second
    await app.deps.db.updateTable('sessions').set({ last_seen_at: later }).execute()
    await app.deps.sessionTouches.write()
    expect(await readLastSeen()).toBe(later)
  })

  it('is not recorded again within a minute', async () => {
    app.advance(minute)
    expect(await call()).toBe(200)
    await app.deps.sessionTouches.write()
    expect(await readLastSeen()).toBe(signedInAt)
  })

  it('is collected and then written for all sessions, with the time of the last request', async () => {
    const other = await createUser(app.deps)
    app.advance(2 * minute)
    expect([await call(), await call(other)]).toEqual([200, 200])
    app.advance(second)
    expect(await call()).toBe(200)
    expect([await readLastSeen(), await readLastSeen(other)]).toEqual([signedInAt, signedInAt])
    await app.deps.sessionTouches.write()
    const seenAt = signedInAt + 2 * minute
    expect([await readLastSeen(), await readLastSeen(other)]).toEqual([seenAt + second, seenAt])
  })

  it('is written by itself', async () => {
    const session = await readSession()
    const touches = createSessionTouches(app.deps, 5)
    await touches.touch(session?.id ?? '', signedInAt + 2 * minute, signedInAt)
    await vi.waitFor(async () => expect(await readLastSeen()).toBe(signedInAt + 2 * minute))
    await touches.close()
  })

  it('is written when the server stops', async () => {
    app.advance(2 * minute)
    expect(await call()).toBe(200)
    await app.deps.sessionTouches.close()
    expect(await readLastSeen()).toBe(signedInAt + 2 * minute)
  })

  it('is written at once after some idle minutes, so that no server ends the session too early', async () => {
    app.advance(4 * hour - 5 * second)
    expect(await call()).toBe(200)
    app.advance(10 * second)
    expect(await call()).toBe(200)
    expect(await readLastSeen()).toBe(signedInAt + 4 * hour - 5 * second)
    app.advance(4 * hour - 10 * second)
    expect(await call()).toBe(401)
  })

  it.each([2 * minute, hour])('does not fail the call if it cannot be written (%i ms)', async (idle) => {
    const mend = await breakUpdates()
    app.advance(idle)
    expect(await call()).toBe(200)
    await app.deps.sessionTouches.write()
    expect(await readLastSeen()).toBe(signedInAt)
    await mend()
    await app.deps.sessionTouches.write()
    expect(await readLastSeen()).toBe(signedInAt + idle)
  })

  it('is kept for a limited number of sessions', async () => {
    const id = (await readSession())?.id ?? ''
    const touches = createSessionTouches(app.deps)
    const seenAt = signedInAt + 2 * minute
    for (let at = 0; at < 10_000; at += 1) await touches.touch(`unknown-${at}`, seenAt, signedInAt)
    await touches.touch(id, seenAt, signedInAt)
    await touches.write()
    expect(await readLastSeen()).toBe(signedInAt)
    await touches.touch(id, seenAt, signedInAt)
    await touches.close()
    expect(await readLastSeen()).toBe(seenAt)
  })

  it('is written by several servers at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => createUser(app.deps)))
    const ids = (await Promise.all(users.map(readSession))).map((session) => session?.id ?? '')
    const servers = [createSessionTouches(app.deps), createSessionTouches(app.deps)]
    for (let round = 1; round <= 30; round += 1) {
      const seenAt = signedInAt + 2 * minute + round
      for (const [at, touches] of servers.entries())
        for (const id of at === 0 ? ids : ids.toReversed()) await touches.touch(id, seenAt, signedInAt)
      await Promise.all(servers.map(({ write }) => write()))
    }
    const times = await Promise.all(users.map(readLastSeen))
    expect(new Set(times)).toEqual(new Set([signedInAt + 2 * minute + 30]))
    await Promise.all(servers.map(({ close }) => close()))
  })
})
