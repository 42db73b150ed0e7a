import { authApi } from '@lyceum/contract/auth'
import { afterEach, describe, expect, it } from 'vitest'
import { createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { buildTestApp, type TestApp, type TestResponse } from '#testing/test-app.ts'
import { createTestBrowser, type TestBrowser } from '#testing/test-browser.ts'
import { admitSignIn, clearFailures, recordCorrectPassword, undoAttempt } from './throttle.ts'

let app: TestApp
afterEach(() => app.close())

const second = 1000
const minute = 60 * second
const wrong = 'not the password'

async function startApp(scale: string): Promise<TestUser> {
  app = await buildTestApp({ stopsClock: true, env: { RATE_LIMIT_SCALE: scale } })
  return createUser(app.deps)
}

function signIn(email: string, password: string, ip: string, browser?: TestBrowser) {
  return app.call(authApi.login, { body: { email, password }, ip, ...(browser ? { browser } : {}) })
}

function readRetryAfter({ headers }: TestResponse<unknown>): number {
  return Number(headers['retry-after'])
}

describe('failed sign-ins', () => {
  it('from one network are limited to 10 a minute and 30 in 15 minutes, across all addresses', async () => {
    const user = await startApp('0.2')
    // A fifth of the limits: two and six.
    for (let round = 0; round < 3; round += 1) {
      expect((await signIn(`a${round}@example.org`, wrong, '2001:db8::1')).status).toBe(401)
      expect((await signIn(`b${round}@example.org`, wrong, '2001:db8::2')).status).toBe(401)
      const refused = await signIn(user.email, testPassword, '2001:db8::3')
      expect([refused.status, refused.body.code]).toEqual([429, 'rate.limited'])
      expect(readRetryAfter(refused)).toBeLessThanOrEqual(round < 2 ? 60 : 900)
      app.advance(minute)
    }
    expect((await signIn(user.email, testPassword, '2001:db8::3')).status).toBe(429)
    expect((await signIn(user.email, testPassword, '2001:db8:0:1::3')).status).toBe(200)
    app.advance(13 * minute)
    expect((await signIn(user.email, testPassword, '2001:db8::3')).status).toBe(200)
  })

  it('for one address from one network cause ever longer waits, whether or not the user exists', async () => {
    const user = await startApp('1')
    async function measureWaits(email: string, ip: string): Promise<number[]> {
      const waits: number[] = []
      for (let i = 0; i < 7; i += 1) {
        expect((await signIn(email, wrong, ip)).status).toBe(401)
        if (i < 4) continue
        const refused = await signIn(email, wrong, ip)
        expect(refused.body).toEqual({
          code: 'rate.limited',
          message: 'Too many requests. Please wait a moment and try again.',
        })
        waits.push(readRetryAfter(refused))
        app.advance(readRetryAfter(refused) * second)
      }
      return waits
    }
    expect(await measureWaits(user.email, '10.0.0.1')).toEqual([1, 2, 4])
    expect(await measureWaits('nobody@example.org', '10.0.0.2')).toEqual([1, 2, 4])
    expect((await signIn(user.email, testPassword, '10.0.0.3')).status).toBe(200)
  })

  it('from a network are cleared by a correct password from that network', async () => {
    const user = await startApp('0.4')
    for (let i = 0; i < 3; i += 1) {
      expect((await signIn(user.email, wrong, '10.0.0.1')).status).toBe(401)
      expect((await signIn(user.email, testPassword, '10.0.0.1')).status).toBe(200)
      app.advance(minute)
    }
  })

  it('get no extra attempts when they are concurrent', async () => {
    await startApp('0.4')
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => signIn('nobody@example.org', wrong, '10.0.0.1')),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(2)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(6)
  })

  it('from many networks slow down unknown browsers but not the user’s own', async () => {
    const user = await startApp('0.2')
    const own = createTestBrowser()
    expect((await signIn(user.email, testPassword, '10.0.9.9', own)).status).toBe(200)
    for (let i = 0; i < 2; i += 1) await signIn(user.email, wrong, `10.0.0.${i}`)
    const muted = await signIn(user.email, testPassword, '10.0.1.1')
    expect([muted.status, muted.body.code]).toEqual([401, 'auth.invalid_credentials'])
    const other = createTestBrowser()
    other.storeCookies(`kd=${'B'.repeat(43)}; Path=/`)
    expect((await signIn(user.email, testPassword, '10.0.1.2', other)).status).toBe(401)
    expect((await signIn(user.email, testPassword, '10.0.0.0', own)).status).toBe(200)
    app.advance(31 * second)
    expect((await signIn(user.email, testPassword, '10.0.1.3')).status).toBe(200)
  })

  it('in a row eventually block sign-ins, except from known browsers or after a password reset', async () => {
    const user = await startApp('0.05')
    // A twentieth of the limit: five in a row, each from a new network and after the pause of the slow lane.
    const own = createTestBrowser()
    expect((await signIn(user.email, testPassword, '10.0.9.9', own)).status).toBe(200)
    async function failFive() {
      for (let i = 0; i < 5; i += 1) {
        expect((await signIn(user.email, wrong, `10.0.0.${i}`)).status).toBe(401)
        app.advance(16 * minute)
      }
    }
    await failFive()
    app.advance(3 * 86_400_000)
    await app.runJobs()
    expect((await signIn(user.email, testPassword, '10.0.1.1')).status).toBe(401)
    await app.deps.db.transaction().execute((tx) => clearFailures(app.deps, tx, user.email))
    expect((await signIn(user.email, testPassword, '10.0.1.2')).status).toBe(200)
    await failFive()
    expect((await signIn(user.email, testPassword, '10.0.1.3')).status).toBe(401)
    expect((await signIn(user.email, testPassword, '10.0.9.9', own)).status).toBe(200)
    expect((await signIn(user.email, testPassword, '10.0.1.4')).status).toBe(200)
  })

  it('from a known browser have their own counter', async () => {
    const user = await startApp('0.2')
    const own = createTestBrowser()
    await signIn(user.email, testPassword, '10.0.0.1', own)
    for (let i = 0; i < 2; i += 1) expect((await signIn(user.email, wrong, '10.0.0.1', own)).status).toBe(401)
    const refused = await signIn(user.email, testPassword, '10.0.0.1', own)
    expect(refused.status).toBe(429)
    expect(readRetryAfter(refused)).toBeGreaterThan(14 * 60)
    // For another user the same browser is unknown.
    const other = await createUser(app.deps)
    expect((await signIn(other.email, testPassword, '10.0.0.1', own)).status).toBe(200)
    app.advance(15 * minute)
    expect((await signIn(user.email, testPassword, '10.0.0.1', own)).status).toBe(200)
  })

  it('do not deadlock when they are concurrent, whatever their outcome', async () => {
    await startApp('100000')
    const { deps } = app
    const browser = {
      readCookie: () => null,
      setCookie: () => undefined,
      deleteCookie: () => undefined,
      sendsCookies: false,
    }
    async function tryOnce(index: number): Promise<void> {
      const email = `e${index % 4}@example.org`
      const client = { ip: `10.0.0.${index % 3}`, userAgent: '' }
      const admission = await admitSignIn(deps, email, client, browser)
      if (index % 3 === 0) await recordCorrectPassword(deps, admission)
      if (index % 3 === 1) await undoAttempt(deps, admission)
      await deps.db.transaction().execute((tx) => clearFailures(deps, tx, email))
    }
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, index) => tryOnce(round + index)))
    const left = await deps.db.selectFrom('sign_in_counters').select(['key', 'failures']).execute()
    const failures = left.filter(({ key }) => key.startsWith('network-quarter')).map((row) => row.failures)
    // A third of the attempts neither succeeded nor were undone.
    expect(failures.reduce((sum, count) => sum + count, 0)).toBe(66)
  })

  it('are stored without the email address and the IP address', async () => {
    await startApp('1')
    await signIn('nobody@example.org', wrong, '10.11.12.13')
    const rows = await app.deps.db.selectFrom('sign_in_counters').selectAll().execute()
    expect(rows).toHaveLength(5)
    expect(JSON.stringify(rows)).not.toMatch(/nobody|10\.11\.12\.13/)
  })
})
