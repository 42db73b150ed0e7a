import { invitationsApi } from '@lyceum/contract/invitations'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import { readLinkToken, startMailServer, type TestMailServer } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const minute = 60_000

let app: TestApp
let server: TestMailServer
let admin: TestUser
beforeEach(async () => {
  server = await startMailServer()
  app = await buildTestApp({ env: { SMTP_URL: server.url } })
  admin = await createAdmin(app.deps)
})
afterEach(async () => {
  await app.close()
  await server.close()
})

function invite() {
  return app.call(invitationsApi.create, {
    as: admin,
    body: {
      email: 'guest@example.org',
      fullName: 'Gus <b>Guest</b>',
      allowedChannels: [],
      twoFactorExpiryEnabled: true,
      twoFactorExpiryDays: 30,
    },
  })
}

function listEmailJobs() {
  return app.deps.db
    .selectFrom('jobs')
    .select(['state', 'attempts', 'last_error'])
    .where('name', '=', 'mail.send')
    .execute()
}

it('sends the link by email and does not return it', async () => {
  const { status, body } = await invite()
  expect([status, body.link]).toEqual([200, undefined])
  const again = await app.call(invitationsApi.resend, { as: admin, params: { id: body._id } })
  expect([again.status, again.body.link]).toEqual([200, undefined])
  await app.runJobs()
  const tokens = server.received.map(readLinkToken)
  expect(new Set(tokens).size).toBe(2)
  const responses = await Promise.all(
    tokens.map((token) => app.call(invitationsApi.verify, { params: { token } })),
  )
  expect(responses.map((response) => response.status).toSorted()).toEqual([200, 400])
  expect(server.received[0]?.html).toContain('Gus &lt;b&gt;Guest')
})

it('creates the invitation even if the mail server rejects the email, and records the failure', async () => {
  server.behavior = 'refuses'
  const { status, body } = await invite()
  expect([status, body.status]).toEqual([200, 'pending'])
  await app.runJobs()
  expect(await listEmailJobs()).toMatchObject([
    { state: 'failed', attempts: 1, last_error: expect.stringContaining('refused') },
  ])
})

it('retries when the mail server is busy', async () => {
  server.behavior = 'is busy'
  expect((await invite()).status).toBe(200)
  await app.runJobs()
  expect(await listEmailJobs()).toMatchObject([{ state: 'waiting', attempts: 1 }])
  server.behavior = 'accepts'
  app.advance(minute)
  await app.runJobs()
  expect(server.received).toMatchObject([{ to: 'guest@example.org' }])
  expect(await listEmailJobs()).toEqual([])
})
