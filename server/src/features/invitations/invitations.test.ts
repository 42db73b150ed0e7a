import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type InvitationInput, invitationsApi } from '@lyceum/contract/invitations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createAdmin,
  createTestChannel,
  createUser,
  type TestUser,
  testPassword,
} from '#testing/factories.ts'
import { readLinkToken, readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createSetupLink } from './setup-link.ts'

const day = 86_400_000

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { name: 'Ada Admin' })
})
afterEach(() => app.close())

/** Advances the clock and signs in again, because the session may expire. */
async function advanceAndSignIn(ms: number): Promise<void> {
  app.advance(ms)
  const { body } = await app.call(authApi.login, { body: { email: admin.email, password: testPassword } })
  admin = { ...admin, token: body.token ?? '' }
}

function createInput(changes: Partial<InvitationInput> = {}): InvitationInput {
  return {
    email: 'guest@example.org',
    fullName: 'Gus Guest',
    allowedChannels: [],
    twoFactorExpiryEnabled: false,
    twoFactorExpiryDays: 30,
    ...changes,
  }
}

function invite(changes: Partial<InvitationInput> = {}, headers: Record<string, string> = {}) {
  return app.call(invitationsApi.create, { as: admin, body: createInput(changes), headers })
}

function readToken(link: string | undefined): string {
  return new URL(link ?? 'http://none').searchParams.get('token') ?? ''
}

function verify(token: string) {
  return app.call(invitationsApi.verify, { params: { token } })
}
function resend(id: string) {
  return app.call(invitationsApi.resend, { as: admin, params: { id } })
}
function remove(id: string) {
  return app.call(invitationsApi.remove, { as: admin, params: { id } })
}
function accept(token: string, more: object = {}) {
  return app.call(authApi.register, {
    body: { email: 'guest@example.org', fullName: 'Gus Guest', password: 'a sound password', token, ...more },
  })
}
function listInvitations() {
  return app.deps.db.selectFrom('invitations').selectAll().execute()
}
function listUsers() {
  return app.deps.db.selectFrom('users').select(['id', 'email', 'role']).execute()
}

describe('POST /invitations', () => {
  it('rejects the address of a user in any letter case', async () => {
    await createUser(app.deps, { email: 'guest@example.org' })
    const { status, body } = await invite({ email: ' Guest@Example.org ' })
    expect([status, body.code]).toEqual([409, 'user.exists'])
    expect(await listInvitations()).toEqual([])
  })

  it('rejects an address that is already invited', async () => {
    await invite()
    const { status, body } = await invite({ fullName: 'Another Name' })
    expect([status, body.code]).toEqual([409, 'invitation.exists'])
    expect(await listInvitations()).toMatchObject([{ full_name: 'Gus Guest' }])
  })

  it('rejects channels that do not exist', async () => {
    const channel = await createTestChannel(app.deps)
    const { status, body } = await invite({ allowedChannels: [channel, 'gone'] })
    expect([status, body.message]).toEqual([400, 'Invalid user or channel selected'])
    expect(await listInvitations()).toEqual([])
  })

  it('rejects channels that the inviter cannot see', async () => {
    const channel = await createTestChannel(app.deps)
    const permissions = { canManageChannels: false }
    admin = await createAdmin(app.deps, { permissions })
    const { status, body } = await invite({ allowedChannels: [channel] })
    expect([status, body.message]).toEqual([400, 'Invalid user or channel selected'])
    admin = await createAdmin(app.deps, { permissions, channels: [channel] })
    expect((await invite({ allowedChannels: [channel] })).status).toBe(200)
  })

  it('requires canManageUsers besides its own permission, as resending and cancelling do', async () => {
    const created = await invite()
    admin = await createAdmin(app.deps, { permissions: { canManageUsers: false } })
    const responses = [
      invite({ email: 'other@example.org' }),
      resend(created.body._id),
      remove(created.body._id),
    ]
    for (const response of responses)
      expect((await response).body.message).toBe('You do not have permission to manage users')
    expect(await listInvitations()).toHaveLength(1)
  })

  it.each([
    [{ email: 'guest' }, { email: 'Invalid email address' }],
    [{ fullName: ' ' }, { fullName: 'Full name is required' }],
    [{ twoFactorExpiryDays: 0 }, { twoFactorExpiryDays: 'From 1 to 365 days' }],
    [{ twoFactorExpiryDays: 366 }, { twoFactorExpiryDays: 'From 1 to 365 days' }],
  ])('rejects %j', async (changes, fields) => {
    const { status, body } = await invite(changes)
    expect([status, body.fields]).toEqual([400, fields])
  })

  it('creates one invitation and one email for several concurrent calls', async () => {
    const responses = await Promise.all([invite(), invite(), invite({ fullName: 'Other' })])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await listInvitations()).toHaveLength(1)
    await app.runJobs()
    expect(await readOutbox(app.folder)).toHaveLength(1)
  })

  it('replaces an expired invitation', async () => {
    const first = await invite()
    await advanceAndSignIn(7 * day)
    const second = await invite()
    expect(second.status).toBe(200)
    expect(second.body._id).not.toBe(first.body._id)
    expect(await listInvitations()).toHaveLength(1)
    expect((await verify(readToken(first.body.link))).body.code).toBe('invitation.invalid')
  })

  it('creates one invitation per idempotency key, even for concurrent calls', async () => {
    const headers = { 'idempotency-key': 'invite-gus-1' }
    const responses = await Promise.all([invite({}, headers), invite({}, headers)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(responses.map(({ body }) => body._id)).size).toBe(1)
    expect(await listInvitations()).toHaveLength(1)
    const stranger = await createAdmin(app.deps)
    const theirs = await app.call(invitationsApi.create, { as: stranger, body: createInput(), headers })
    expect(theirs.body.code).toBe('invitation.exists')
    await advanceAndSignIn(day)
    await app.runJobs()
    expect((await invite({}, headers)).body.code).toBe('invitation.exists')
  })

  it('sends an email with the inviter, the channels and the expiry', async () => {
    const names = ['Policies', 'Travel']
    const allowedChannels = await Promise.all(names.map((name) => createTestChannel(app.deps, { name })))
    const { status, body } = await invite({ allowedChannels })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      email: 'guest@example.org',
      status: 'pending',
      invitedBy: { _id: admin.id, name: 'Ada Admin' },
      allowedChannels,
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(7 * day)
    await app.runJobs()
    const [email] = await readOutbox(app.folder)
    expect(email?.subject).toBe('You have been invited to Lyceum')
    expect(email?.to).toBe('guest@example.org')
    expect(email?.text).toContain(`Ada Admin (${admin.email})`)
    expect(email?.text).toContain('“Policies” and “Travel”')
    expect(email?.text).toMatch(/expires: \d+ \w+ 20\d\d/)
    expect(email && readLinkToken(email)).toBe(readToken(body.link))
    expect(body.link).toBe(`${app.deps.env.PUBLIC_URL}/register?token=${readToken(body.link)}`)
  })

  it('stores only the hash of the token', async () => {
    const { body } = await invite()
    const stored = JSON.stringify([
      await listInvitations(),
      await app.deps.db.selectFrom('jobs').selectAll().execute(),
      (await app.call(invitationsApi.list, { as: admin, query: {} })).body,
    ])
    expect(readToken(body.link)).toMatch(/^[\w-]{43}$/)
    expect(stored).not.toContain(readToken(body.link))
  })
})

describe('rate limits', () => {
  let limitedApp: TestApp
  beforeEach(async () => {
    // A tenth of the usual limits: 20 invitations per hour and one resend per invitation and day.
    limitedApp = await buildTestApp({ env: { RATE_LIMIT_SCALE: '0.1' } })
  })
  afterEach(() => limitedApp.close())

  it('restrict how many invitations one user sends per hour', async () => {
    const [one, other] = [await createAdmin(limitedApp.deps), await createAdmin(limitedApp.deps)]
    function inviteAs(as: TestUser, number: number) {
      return limitedApp.call(invitationsApi.create, {
        as,
        body: createInput({ email: `g${number}@example.org` }),
      })
    }
    const { email: _email, fullName, ...shared } = createInput()
    const invitees = Array.from({ length: 21 }, (_, number) => ({
      email: `g${number}@example.org`,
      fullName,
    }))
    const several = await limitedApp.call(invitationsApi.createSeveral, {
      as: one,
      body: { invitees, ...shared },
    })
    expect(several.body.results.filter(({ invitation }) => invitation !== null)).toHaveLength(20)
    expect(several.body.results.at(-1)?.refusal).toMatch(/^Too many/)
    limitedApp.advance(60_000)
    const refused = await inviteAs(one, 20)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate.limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await inviteAs(other, 20)).status).toBe(200)
    limitedApp.advance(3_600_000)
    expect((await inviteAs(one, 21)).status).toBe(200)
  })

  it('restrict resends per day and leave the link unchanged when exceeded', async () => {
    const as = await createAdmin(limitedApp.deps)
    const { body } = await limitedApp.call(invitationsApi.create, { as, body: createInput() })
    function again() {
      return limitedApp.call(invitationsApi.resend, { as, params: { id: body._id } })
    }
    const second = await again()
    expect(second.status).toBe(200)
    const third = await again()
    expect([third.status, third.body.code]).toEqual([429, 'invitation.limit'])
    const token = readToken(second.body.link)
    expect((await limitedApp.call(invitationsApi.verify, { params: { token } })).status).toBe(200)
    limitedApp.advance(day)
    const later = await createAdmin(limitedApp.deps)
    const fourth = await limitedApp.call(invitationsApi.resend, { as: later, params: { id: body._id } })
    expect(fourth.status).toBe(200)
  })
})

describe('POST /invitations/{id}/resend', () => {
  it('rejects accepted and expired invitations', async () => {
    const { body } = await invite()
    await advanceAndSignIn(7 * day)
    expect((await resend(body._id)).body.code).toBe('invitation.not_pending')
    const second = await invite()
    expect((await accept(readToken(second.body.link))).status).toBe(200)
    const { status, body: refusal } = await resend(second.body._id)
    expect([status, refusal.code]).toEqual([409, 'invitation.not_pending'])
  })

  it('sends a new link with the full lifetime and invalidates the old one', async () => {
    const { body } = await invite()
    await advanceAndSignIn(6 * day)
    const again = await resend(body._id)
    expect(again.status).toBe(200)
    expect(Date.parse(again.body.expiresAt) - Date.parse(body.expiresAt)).toBeGreaterThanOrEqual(6 * day)
    expect((await verify(readToken(body.link))).body.code).toBe('invitation.invalid')
    expect((await accept(readToken(body.link))).body.code).toBe('invitation.invalid')
    await advanceAndSignIn(6 * day)
    expect((await verify(readToken(again.body.link))).status).toBe(200)
    await app.runJobs()
    expect((await readOutbox(app.folder)).map(readLinkToken)).toContain(readToken(again.body.link))
  })
})

describe('DELETE /invitations/{id}', () => {
  it('rejects accepted invitations and returns 404 for setup invitations', async () => {
    const { body } = await invite()
    await accept(readToken(body.link))
    const { status, body: refusal } = await remove(body._id)
    expect([status, refusal.code]).toEqual([409, 'invitation.not_pending'])

    const empty = await buildTestApp()
    await createSetupLink(empty.deps)
    const as = await createAdmin(empty.deps)
    const setup = await empty.deps.db.selectFrom('invitations').select('id').executeTakeFirstOrThrow()
    for (const endpoint of [invitationsApi.remove, invitationsApi.resend])
      expect((await empty.call(endpoint, { as, params: setup })).status).toBe(404)
    expect((await empty.call(invitationsApi.list, { as, query: {} })).body).toEqual([])
    await empty.close()
  })

  it('cancels a pending invitation and deletes an expired one', async () => {
    const { body } = await invite()
    expect((await remove(body._id)).body.message).toBe('The invitation was cancelled')
    expect((await verify(readToken(body.link))).body.code).toBe('invitation.invalid')
    expect((await remove(body._id)).status).toBe(404)
    const second = await invite()
    await advanceAndSignIn(7 * day)
    expect((await verify(readToken(second.body.link))).body.code).toBe('invitation.expired')
    expect((await remove(second.body._id)).body.message).toBe('The expired invitation was deleted')
    expect(await listInvitations()).toEqual([])
  })
})

describe('GET /invitations', () => {
  it('lists newest first, marks expired ones and pages when requested', async () => {
    const leaving = await createAdmin(app.deps)
    await app.call(invitationsApi.create, { as: leaving, body: createInput({ email: 'first@example.org' }) })
    await app.deps.db.deleteFrom('users').where('id', '=', leaving.id).execute()
    await advanceAndSignIn(4 * day)
    const second = await invite({ email: 'guest@example.org' })
    await accept(readToken(second.body.link))
    await advanceAndSignIn(3 * day)
    const ben = await createAdmin(app.deps, { name: 'Ben' })
    await app.call(invitationsApi.create, { as: ben, body: createInput({ email: 'third@example.org' }) })
    const all = await app.call(invitationsApi.list, { as: admin, query: {} })
    expect(all.body).toMatchObject([
      { email: 'third@example.org', status: 'pending', invitedBy: { name: 'Ben' } },
      { email: 'guest@example.org', status: 'accepted', invitedBy: { name: 'Ada Admin' } },
      { email: 'first@example.org', status: 'expired', invitedBy: null },
    ])
    const paged = await app.call(invitationsApi.list, { as: admin, query: { limit: 2, skip: 2 } })
    expect(paged.body).toMatchObject({ items: [{ email: 'first@example.org' }], total: 3, totalPages: 2 })
  })
})

describe('registering with an invitation', () => {
  it('assigns the role user whatever the body says, and the channels that still exist', async () => {
    const system = await createAdmin(app.deps, { isSystemAdmin: true })
    const [keptChannel, deletedChannel] = [
      await createTestChannel(app.deps),
      await createTestChannel(app.deps),
    ]
    const { body } = await invite({ allowedChannels: [keptChannel, deletedChannel] })
    await app.call(channelsApi.remove, { as: system, params: { id: deletedChannel } })
    const more = { role: 'admin', isSystemAdmin: true, permissions: { canManageUsers: true }, channels: [] }
    expect((await accept(readToken(body.link), more)).status).toBe(200)
    const login = await app.call(authApi.login, {
      body: { email: 'guest@example.org', password: 'a sound password' },
    })
    expect(login.body.user).toMatchObject({ role: 'user', isSystemAdmin: false, channels: [keptChannel] })
    expect(Object.values(login.body.user?.permissions ?? {})).not.toContain(true)
  })

  it('lets the holder of the link read five fields first, without using it up', async () => {
    const { body } = await invite({ twoFactorExpiryEnabled: true, twoFactorExpiryDays: 7 })
    for (let i = 0; i < 2; i += 1)
      expect((await verify(readToken(body.link))).body).toEqual({
        email: 'guest@example.org',
        fullName: 'Gus Guest',
        twoFactorExpiryEnabled: true,
        twoFactorExpiryDays: 7,
        isSetup: false,
      })
  })

  it('rejects an address other than the invited one', async () => {
    const { body } = await invite()
    const response = await accept(readToken(body.link), { email: 'other@example.org' })
    expect(response.body.code).toBe('invitation.email_mismatch')
  })

  it('changes nothing when a user with the address was created meanwhile', async () => {
    const { body } = await invite()
    await createUser(app.deps, { email: 'guest@example.org' })
    const { status, body: refusal } = await accept(readToken(body.link))
    expect([status, refusal.code]).toEqual([409, 'user.exists'])
    expect(await listInvitations()).toMatchObject([{ status: 'pending', accepted_at: null }])
    const { status: signedIn } = await app.call(authApi.login, {
      body: { email: 'guest@example.org', password: testPassword },
    })
    expect(signedIn).toBe(200)
  })

  it('stores two-factor settings only when they differ from the global ones', async () => {
    const { body } = await invite({ twoFactorExpiryEnabled: true, twoFactorExpiryDays: 7 })
    await accept(readToken(body.link))
    const user = await app.deps.db
      .selectFrom('users')
      .select(['two_factor_days', 'two_factor_enabled'])
      .where('email', '=', 'guest@example.org')
      .executeTakeFirst()
    expect(user).toEqual({ two_factor_days: 7, two_factor_enabled: null })
  })

  it('ends in one consistent state when accepted, cancelled and resent concurrently', async () => {
    for (let round = 0; round < 4; round += 1) {
      const email = `round${round}@example.org`
      const { body } = await invite({ email })
      const actions = [
        () => accept(readToken(body.link), { email }),
        () => accept(readToken(body.link), { email }),
        () => remove(body._id),
        () => resend(body._id),
      ]
      const order = [...actions.slice(round), ...actions.slice(0, round)]
      const responses = new Map(
        await Promise.all(order.map(async (action) => [action, await action()] as const)),
      )
      const [first, second, cancelled, sent] = actions.map((action) => responses.get(action)?.status)
      const isUser = (await listUsers()).some((user) => user.email === email)
      const [row] = (await listInvitations()).filter((invitation) => invitation.email === email)
      expect([first, second].filter((status) => status === 200)).toHaveLength(isUser ? 1 : 0)
      expect(cancelled).toBe(row ? 409 : 200)
      expect(row?.status).toBe(isUser ? 'accepted' : undefined)
      // A new link may be sent before the cancellation, but never after the final state.
      expect([200, 404, 409]).toContain(sent)
      if (isUser) expect(sent).toBe(409)
    }
  })
})
