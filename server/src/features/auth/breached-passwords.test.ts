import { authApi } from '@lyceum/contract/auth'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUser, testPassword } from '#testing/factories.ts'
import { readLinkToken, readOutbox } from '#testing/mail-server.ts'
import { type RangeServer, respondWith, sha1, startRangeServer } from '#testing/range-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createSetupLink } from '../invitations/setup-link.ts'

const breached = 'twelve purple elephants'
const refusal = 'This password has appeared in a data breach. Please choose another one.'

let server: RangeServer
let app: TestApp
beforeEach(async () => {
  server = await startRangeServer(respondWith({ [sha1(breached)]: 7 }))
  app = await buildTestApp({ env: { BREACHED_PASSWORDS_URL: server.url } })
})
afterEach(async () => {
  await app.close()
  server.close()
})

it('rejects a breached password at registration', async () => {
  const token = /token=([\w-]{43})/.exec((await createSetupLink(app.deps)) ?? '')?.[1] ?? ''
  function register(password: string) {
    const body = { email: 'ada@example.org', fullName: 'Ada Lovelace', password, token }
    return app.call(authApi.register, { body })
  }
  const refused = await register(breached)
  expect([refused.status, refused.body.fields]).toEqual([400, { password: refusal }])
  expect((await register('seven quiet harbours')).status).toBe(200)
})

it('rejects a breached password on the profile', async () => {
  const user = await createUser(app.deps)
  const refused = await app.call(usersApi.changePassword, {
    as: user,
    params: { id: user.id },
    body: { currentPassword: testPassword, newPassword: breached },
  })
  expect([refused.status, refused.body.fields]).toEqual([400, { newPassword: refusal }])
})

it('rejects a breached password when it is reset, and keeps the link valid', async () => {
  const user = await createUser(app.deps)
  await app.call(authApi.forgotPassword, { body: { email: user.email } })
  await app.runJobs()
  const [email] = await readOutbox(app.folder)
  if (!email) throw new Error('no email was sent')
  const token = readLinkToken(email)
  function reset(newPassword: string) {
    return app.call(authApi.resetPassword, { body: { token, newPassword } })
  }
  expect((await reset(breached)).body.code).toBe('auth.password_breached')
  expect((await reset('seven quiet harbours')).status).toBe(200)
})
