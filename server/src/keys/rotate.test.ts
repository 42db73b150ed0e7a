import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { embedChannel, signInOnSite } from '#testing/embedding.ts'
import { createTestChannel, createUser, type TestUser, testPassword } from '#testing/factories.ts'
import { readOutbox } from '#testing/mail-server.ts'
import { runCli } from '#testing/run-cli.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser, type TestBrowser } from '#testing/test-browser.ts'
import { type Keys, readKeys, replaceKeys, SecretsError } from './key-file.ts'
import { RotationInterrupted, RotationRefused, rotateKeys } from './rotate.ts'
import { loadSecrets, previousKeyLifetime } from './secrets.ts'

let app: TestApp
let user: TestUser
let path: string
beforeEach(async () => {
  app = await buildTestApp()
  path = join(app.folder, 'secrets.json')
  user = await createUser(app.deps)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.close()
})

function readSecretsFile(): string {
  return readFileSync(path, 'utf8')
}
function rotate(shouldEndSessions = false) {
  return rotateKeys(app.deps, path, shouldEndSessions)
}
async function getMeStatus(as = user): Promise<number> {
  return (await app.call(authApi.me, { as })).status
}
function signIn(email = user.email, browser?: TestBrowser) {
  return app.call(authApi.login, { body: { email, password: testPassword }, ...(browser ? { browser } : {}) })
}
function listRotationEntries() {
  return app.deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'keys.rotated').execute()
}
function runLyceum(...args: string[]) {
  const { DATABASE_URL } = app.deps.env
  return runCli(args, { DATA_DIR: app.folder, ...(DATABASE_URL ? { DATABASE_URL } : {}) })
}
function runRotate(...args: string[]) {
  return runLyceum('keys', 'rotate', ...args)
}

describe('npx lyceum keys rotate', () => {
  it('changes nothing for unknown arguments or for a secrets file that others can read', async () => {
    expect((await runRotate('both')).code).toBe(2)
    expect((await runRotate('--later')).code).toBe(2)
    const before = readSecretsFile()
    chmodSync(path, 0o644)
    const { code, stdout, stderr } = await runRotate()
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('chmod 600')])
    expect(readSecretsFile()).toBe(before)
    expect(await listRotationEntries()).toEqual([])
  })

  it('applies to the running server at once, reports what it did, and is audited', async () => {
    const before = readKeys(path)
    const first = await runRotate()
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toMatch(/^The keys were replaced\.\nUsers stay signed in/)
    const after = readKeys(path)
    expect(after.previousTokenKey).toBe(before.tokenKey)
    expect([after.tokenKey, after.pepper]).not.toEqual([before.tokenKey, before.pepper])
    expect(Buffer.from(app.deps.secrets.tokenKey).toString('base64url')).toBe(after.tokenKey)
    const second = await runRotate()
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/less than a day ago.*--now/)])
    expect(readKeys(path)).toEqual(after)
    const third = await runRotate('--now')
    expect([third.code, third.stdout]).toEqual([0, expect.stringContaining('All users must sign in again.')])
    expect(readKeys(path).previousTokenKey).toBeUndefined()
    expect(await listRotationEntries()).toMatchObject([
      { actor_id: null, user_agent: 'command line', result: 'ok' },
      { after: expect.stringContaining('"isNow":true') },
    ])
  })
})

describe('rotateKeys', () => {
  it('keeps users signed in for a day, and does not affect new sessions', async () => {
    await rotate()
    expect(await getMeStatus()).toBe(200)
    const { body } = await signIn()
    const newSession = { ...user, token: body.token ?? '' }
    expect(await getMeStatus(newSession)).toBe(200)
    const at = readKeys(path).rotation?.at ?? 0
    expect(loadSecrets(path, () => at + previousKeyLifetime - 1).previousTokenKey).not.toBeNull()
    expect(loadSecrets(path, () => at + previousKeyLifetime).previousTokenKey).toBeNull()
    app.advance(previousKeyLifetime)
    await rotate()
    expect(app.deps.secrets.previousTokenKey).not.toBeNull()
  })

  it('signs all users out, on other sites too, when it ends sessions', async () => {
    const { db } = app.deps
    const channelId = await createTestChannel(app.deps)
    await embedChannel(app, channelId)
    const member = await createUser(app.deps, { channels: [channelId] })
    await signInOnSite(app, member, channelId)
    await rotate()
    expect(await db.selectFrom('embedded_sign_ins').selectAll().execute()).toHaveLength(1)
    await rotate(true)
    expect(await getMeStatus()).toBe(401)
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('embedded_sign_ins').selectAll().execute()).toEqual([])
    const { body } = await signIn()
    expect(await getMeStatus({ ...user, token: body.token ?? '' })).toBe(200)
  })

  it.each([false, true])(
    'invalidates codes, removes trusted browsers and keeps waiting emails (ends sessions: %s)',
    async (shouldEndSessions) => {
      const other = await createUser(app.deps, { twoFactor: true })
      const browser = createTestBrowser()
      async function readCode() {
        return /\b\d{6}\b/.exec((await readOutbox(app.folder)).at(-1)?.text ?? '')?.[0] ?? ''
      }
      async function verify() {
        return app.call(authApi.verify, { body: { email: other.email, token: await readCode() }, browser })
      }
      await signIn(other.email, browser)
      expect((await verify()).status).toBe(200)
      const secondBrowser = createTestBrowser()
      await signIn(other.email, secondBrowser)
      await app.call(authApi.forgotPassword, { body: { email: user.email } })
      const code = await readCode()
      await rotate(shouldEndSessions)
      const oldCode = { email: other.email, token: code }
      expect((await app.call(authApi.verify, { body: oldCode, browser: secondBrowser })).status).toBe(400)
      expect(await app.deps.db.selectFrom('trusted_browsers').selectAll().execute()).toEqual([])
      // The reset was requested before the rotation; its email is encrypted and decrypted with the new keys.
      writeFileSync(path, JSON.stringify({ ...readKeys(path), previousPepper: undefined }))
      await app.runJobs()
      expect((await readOutbox(app.folder)).at(-1)?.text).toContain('/reset-password?token=')
      expect((await signIn(other.email, browser)).body).toMatchObject({ requires2FA: true })
      expect((await verify()).status).toBe(200)
    },
  )

  it('still decrypts what was encrypted before the rotation', async () => {
    const sealed = app.deps.secrets.seal('an email')
    await rotate(true)
    expect(app.deps.secrets.unseal(sealed)).toBe('an email')
    expect(() => app.deps.secrets.unseal(`${sealed.slice(0, -4)}AAAA`)).toThrow()
  })
})

describe('an interrupted rotation', () => {
  function markUnfinished(keys: Keys): Keys {
    return {
      ...keys,
      ...(keys.rotation ? { rotation: { ...keys.rotation, isFinished: false } } : {}),
    }
  }

  it('is reported and can be finished when the database was not updated', async () => {
    await app.call(authApi.forgotPassword, { body: { email: user.email } })
    vi.spyOn(app.deps.secrets, 'seal').mockImplementation(() => {
      throw new Error('power failure')
    })
    await expect(rotate()).rejects.toBeInstanceOf(RotationInterrupted)
    vi.restoreAllMocks()
    const halfway = readKeys(path)
    expect(halfway.rotation?.isFinished).toBe(false)
    expect(await listRotationEntries()).toEqual([])
    expect(await getMeStatus()).toBe(200)
    expect((await runLyceum('doctor')).stdout).toMatch(/A key rotation was interrupted/)
    expect(await rotate()).toMatchObject({ wasInterrupted: true, counts: { emails: 1 } })
    expect(readKeys(path)).toEqual({ ...halfway, rotation: { ...halfway.rotation, isFinished: true } })
    expect(await listRotationEntries()).toHaveLength(1)
    await app.runJobs()
    expect(await readOutbox(app.folder)).toHaveLength(1)
  })

  it('does nothing but mark the rotation as finished if the database was already updated', async () => {
    await rotate()
    const done = readKeys(path)
    replaceKeys(path, markUnfinished(done))
    expect(await rotate()).toMatchObject({ wasInterrupted: true, counts: null })
    expect(readKeys(path)).toEqual(done)
    expect(await listRotationEntries()).toHaveLength(1)
    expect(await getMeStatus()).toBe(200)
  })

  it('ends all sessions when it is continued with --now', async () => {
    const { rotation: _, ...keys } = readKeys(path)
    replaceKeys(path, {
      ...keys,
      previousPepper: keys.pepper,
      rotation: { id: 'r', at: Math.floor(app.deps.now()), isFinished: false },
    })
    expect(await rotate()).toMatchObject({ acceptedUntil: null, wasInterrupted: true })
    expect(await app.deps.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })
})

it('lets only one of several concurrent rotations change the keys', async () => {
  const outcomes = await Promise.allSettled([rotate(), rotate(), rotate()])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toEqual([expect.any(RotationRefused), expect.any(RotationRefused)])
  expect(await listRotationEntries()).toHaveLength(1)
  expect(readKeys(path).rotation?.isFinished).toBe(true)
  expect(await getMeStatus()).toBe(200)
})

it('keeps the keys of a running server when the secrets file is damaged, but rejects the file at startup', async () => {
  const good = readSecretsFile()
  for (const damaged of ['', '{"tokenKey":', '{}']) {
    writeFileSync(path, damaged)
    expect(await getMeStatus()).toBe(200)
    expect(() => loadSecrets(path)).toThrow(SecretsError)
  }
  writeFileSync(path, good)
  expect(await getMeStatus()).toBe(200)
})
