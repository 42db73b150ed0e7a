import { authApi } from '@lyceum/contract/auth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { readCode, readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser, type TestBrowser } from '#testing/test-browser.ts'
import { revokeAccess } from './revoke.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

const second = 1000
const day = 86_400 * second

function signIn(user: TestUser, browser: TestBrowser) {
  return app.call(authApi.login, { body: { email: user.email, password: testPassword }, browser })
}

async function needsCode(user: TestUser, browser: TestBrowser): Promise<boolean> {
  const { status, body } = await signIn(user, browser)
  expect(status).toBe(200)
  expect(body.token === undefined).toBe(body.requires2FA === true)
  return body.requires2FA === true
}

/** Signs in with password and code, and returns the user with the new session. */
async function signInWithCode(user: TestUser, browser: TestBrowser): Promise<TestUser> {
  expect(await needsCode(user, browser)).toBe(true)
  const mail = (await readOutbox(app.folder)).findLast(({ to }) => to === user.email)
  const { body } = await app.call(authApi.verify, {
    body: { email: user.email, token: mail ? readCode(mail) : '' },
    browser,
  })
  return { ...user, token: body.token }
}

function setUser(
  user: TestUser,
  changes: { two_factor_days?: number; two_factor_enabled?: 0 | 1; must_verify?: 1 },
) {
  return app.deps.db.updateTable('users').set(changes).where('id', '=', user.id).execute()
}

function getTrustedCookie(browser: TestBrowser): [string, string] {
  const found = [...browser.cookies].find(([name]) => name.startsWith('td-'))
  if (!found) throw new Error('the browser was not trusted')
  return found
}

function createTwoFactorUser() {
  return createUser(app.deps, { twoFactor: true })
}

describe('a trusted browser', () => {
  it('needs no code until it expires', async () => {
    const user = await createTwoFactorUser()
    const browser = createTestBrowser()
    await signInWithCode(user, browser)
    expect(getTrustedCookie(browser)[0]).toMatch(/^td-[0-9a-f]{12}$/)
    app.advance(30 * day - 60 * second)
    expect(await needsCode(user, browser)).toBe(false)
    const opened = await app.deps.db
      .selectFrom('sessions')
      .selectAll()
      .where('method', '=', 'trusted-browser')
      .executeTakeFirstOrThrow()
    const row = await app.deps.db.selectFrom('trusted_browsers').selectAll().executeTakeFirstOrThrow()
    expect(opened.browser_id).toBe(row.id)
    expect(row.last_used_at).toBeGreaterThan(row.created_at)
    app.advance(60 * second)
    expect(await needsCode(user, browser)).toBe(true)
  })

  it('expires at once when the number of days is lowered, and is valid again when it is raised', async () => {
    const user = await createTwoFactorUser()
    const browser = createTestBrowser()
    await signInWithCode(user, browser)
    app.advance(2 * day)
    await setUser(user, { two_factor_days: 1 })
    expect(await needsCode(user, browser)).toBe(true)
    await setUser(user, { two_factor_days: 3 })
    expect(await needsCode(user, browser)).toBe(false)
  })

  it('is not trusted for other users, even if its secret is stored under their cookie name', async () => {
    const [ada, bob, eve] = [await createTwoFactorUser(), await createTwoFactorUser(), createTestBrowser()]
    const shared = createTestBrowser()
    await signInWithCode(ada, shared)
    const [, secret] = getTrustedCookie(shared)
    expect(await needsCode(bob, shared)).toBe(true)
    const bobBrowser = createTestBrowser()
    await signInWithCode(bob, bobBrowser)
    eve.storeCookies(`${getTrustedCookie(bobBrowser)[0]}=${secret}; Path=/`)
    expect(await needsCode(bob, eve)).toBe(true)
  })

  it('asks for a code once if one is required, whatever the settings', async () => {
    const user = await createTwoFactorUser()
    const browser = createTestBrowser()
    await signInWithCode(user, browser)
    await setUser(user, { must_verify: 1, two_factor_enabled: 0 })
    await signInWithCode(user, browser)
    expect(await needsCode(user, browser)).toBe(false)
    // No browser becomes trusted while two-factor authentication is off.
    await setUser(user, { two_factor_enabled: 1 })
    expect(await needsCode(user, createTestBrowser())).toBe(true)
    expect(await app.deps.db.selectFrom('trusted_browsers').selectAll().execute()).toHaveLength(1)
  })

  it('is forgotten when all access is revoked', async () => {
    const user = await createTwoFactorUser()
    const browser = createTestBrowser()
    const signedIn = await signInWithCode(user, browser)
    const [row] = await app.deps.db.selectFrom('trusted_browsers').selectAll().execute()
    if (!row) throw new Error('the browser was not trusted')
    await app.deps.db.transaction().execute((tx) => revokeAccess(tx, user.id))
    // Even if its row came back, for example from an older copy of the database, it would belong to an earlier epoch.
    await app.deps.db.insertInto('trusted_browsers').values(row).execute()
    expect((await app.call(authApi.me, { as: signedIn })).status).toBe(401)
    expect(await needsCode(user, browser)).toBe(true)
    const signedInAgain = await signInWithCode(user, createTestBrowser())
    const { body } = await app.call(authApi.trustedBrowsers, { as: signedInAgain })
    expect(body.map(({ _id }) => _id)).not.toContain(row.id)
  })

  it('is forgotten when it is the oldest of eleven', async () => {
    const user = await createTwoFactorUser()
    const first = createTestBrowser()
    await signInWithCode(user, first)
    const { id: _, ...row } = await app.deps.db
      .selectFrom('trusted_browsers')
      .selectAll()
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 9 }, (_, i) => ({
      ...row,
      id: `more-${i}`,
      token_hash: `more-${i}`,
      created_at: row.created_at + 1 + i,
    }))
    await app.deps.db.insertInto('trusted_browsers').values(more).execute()
    expect(await needsCode(user, first)).toBe(false)
    app.advance(second)
    await signInWithCode(user, createTestBrowser())
    expect(await needsCode(user, first)).toBe(true)
  })
})

describe('/auth/trusted-browsers', () => {
  it('lists a user’s own browsers, with the expiry date under the current setting', async () => {
    const user = await createTwoFactorUser()
    const laptop = createTestBrowser('Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0')
    await signInWithCode(user, laptop)
    app.advance(2 * day)
    const phone = createTestBrowser()
    const signedIn = await signInWithCode(user, phone)
    await signInWithCode(await createTwoFactorUser(), createTestBrowser())
    async function list() {
      return (await app.call(authApi.trustedBrowsers, { as: signedIn, browser: phone })).body
    }
    const both = await list()
    expect(both.map(({ browser, current }) => [browser, current])).toEqual([
      ['test', true],
      ['Firefox on Windows', false],
    ])
    const [newest] = both
    const duration = Date.parse(newest?.expiresAt ?? '') - Date.parse(newest?.createdAt ?? '')
    expect(duration).toBe(30 * day)
    await setUser(user, { two_factor_days: 1 })
    expect((await list()).map(({ current }) => current)).toEqual([true])
  })

  it('forgets a browser and ends its sessions, for its user only', async () => {
    const user = await createTwoFactorUser()
    const laptop = createTestBrowser()
    const onLaptop = await signInWithCode(user, laptop)
    const [row] = (await app.call(authApi.trustedBrowsers, { as: onLaptop, browser: laptop })).body
    const params = { id: row?._id ?? '' }
    const stranger = await createUser(app.deps)
    expect((await app.call(authApi.forgetBrowser, { as: stranger, params })).status).toBe(404)
    expect((await app.call(authApi.me, { as: onLaptop })).status).toBe(200)
    expect((await app.call(authApi.forgetBrowser, { as: user, params })).status).toBe(204)
    expect((await app.call(authApi.forgetBrowser, { as: user, params })).status).toBe(404)
    expect((await app.call(authApi.me, { as: onLaptop })).status).toBe(401)
    expect((await app.call(authApi.me, { as: user })).status).toBe(200)
    expect(await needsCode(user, laptop)).toBe(true)
  })

  it('keeps one entry for a browser in which a code is entered again', async () => {
    const user = await createTwoFactorUser()
    const laptop = createTestBrowser()
    const first = await signInWithCode(user, laptop)
    const [, secret] = getTrustedCookie(laptop)
    app.advance(31 * day)
    const signedInAgain = await signInWithCode(user, laptop)
    expect(getTrustedCookie(laptop)[1]).not.toBe(secret)
    const { body } = await app.call(authApi.trustedBrowsers, { as: signedInAgain, browser: laptop })
    expect(body).toHaveLength(1)
    expect(first.token).not.toBe(signedInAgain.token)
  })
})
