import { authApi } from '@lyceum/contract/auth'
import { type InvitationsInput, invitationsApi } from '@lyceum/contract/invitations'
import { maxInvitees } from '@lyceum/contract/invitees'
import { getPermissions } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
})
afterEach(() => app.close())

function createInvitee(name: string) {
  return { email: `${name}@example.org`, fullName: name }
}

function invite(changes: Partial<InvitationsInput> = {}, as: TestUser | null = admin, key?: string) {
  return app.call(invitationsApi.createSeveral, {
    as,
    body: {
      invitees: [createInvitee('ada'), createInvitee('bob')],
      allowedChannels: [],
      twoFactorExpiryEnabled: false,
      twoFactorExpiryDays: 30,
      ...changes,
    },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
}

async function register(email: string, link: string | undefined): Promise<string> {
  const token = new URL(link ?? 'http://none').searchParams.get('token') ?? ''
  const password = 'a sound password'
  const registration = { email, fullName: 'Ada', password, token }
  const { status } = await app.call(authApi.register, { body: registration })
  expect(status).toBe(200)
  const user = await app.deps.db
    .selectFrom('users')
    .select('role')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return user.role
}

function listInvitations() {
  return app.deps.db.selectFrom('invitations').select(['email', 'role']).orderBy('email').execute()
}

describe('POST /invitations/bulk', () => {
  it('rejects callers who may not create or manage users', async () => {
    expect((await invite({}, null)).status).toBe(401)
    for (const permission of ['canCreateUsers', 'canManageUsers'])
      expect(
        (await invite({}, await createAdmin(app.deps, { permissions: { [permission]: false } }))).status,
      ).toBe(403)
    expect(await listInvitations()).toEqual([])
  })

  it('rejects no address, too many, and malformed ones', async () => {
    const tooMany = Array.from({ length: maxInvitees + 1 }, (_, n) => createInvitee(`user${n}`))
    for (const invitees of [
      [],
      tooMany,
      [{ email: 'nobody', fullName: 'No' }],
      [{ email: 'a@b.org', fullName: ' ' }],
    ])
      expect((await invite({ invitees })).status).toBe(400)
    expect(await listInvitations()).toEqual([])
  })

  it('rejects a channel that the inviter cannot see, for all addresses', async () => {
    const channel = await createTestChannel(app.deps)
    const other = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    expect((await invite({ allowedChannels: [channel] }, other)).status).toBe(400)
    expect(await listInvitations()).toEqual([])
  })

  it('invites the others if one address is refused, and says why it was', async () => {
    await createUser(app.deps, { email: 'ada@example.org' })
    await invite({ invitees: [createInvitee('bob')] })
    const invitees = ['ada', 'bob', 'cyd', 'cyd'].map(createInvitee)
    const { status, body } = await invite({ invitees })
    expect(status).toBe(200)
    expect(
      body.results.map(({ email, invitation, refusal }) => [email, invitation?.status, refusal]),
    ).toEqual([
      ['ada@example.org', undefined, 'A user with this email address already exists'],
      ['bob@example.org', undefined, 'This email address has already been invited'],
      ['cyd@example.org', 'pending', null],
      ['cyd@example.org', undefined, 'This email address has already been invited'],
    ])
    expect((await listInvitations()).map(({ email }) => email)).toEqual([
      'bob@example.org',
      'cyd@example.org',
    ])
  })

  it('sends one email and writes one audit entry for each', async () => {
    await invite()
    await app.runJobs()
    const entries = await app.deps.db
      .selectFrom('audit_log')
      .select('object_name')
      .where('action', '=', 'invitation.created')
      .orderBy('seq')
      .execute()
    expect(entries.map(({ object_name }) => object_name)).toEqual(['ada@example.org', 'bob@example.org'])
    const emails = await readOutbox(app.folder)
    expect(emails.map(({ to }) => to).toSorted()).toEqual(['ada@example.org', 'bob@example.org'])
  })

  it('creates nothing twice if the request is repeated with its key', async () => {
    const first = await invite({}, admin, 'key-of-this-request')
    const second = await invite({}, admin, 'key-of-this-request')
    expect(second.body.results.map(({ invitation }) => invitation?._id)).toEqual(
      first.body.results.map(({ invitation }) => invitation?._id),
    )
    expect(await listInvitations()).toHaveLength(2)
  })
})

describe('the role of an invitation', () => {
  it('is refused to those who may not promote users', async () => {
    const other = await createAdmin(app.deps, { permissions: { canEditUsers: false } })
    const { status, body } = await invite({ role: 'admin' }, other)
    expect([status, body.code]).toEqual([403, 'permission.denied'])
    expect((await invite({ role: 'user' }, other)).status).toBe(200)
    expect((await listInvitations()).map(({ role }) => role)).toEqual(['user', 'user'])
  })

  it('makes the invited user an administrator, who lacks what the inviter lacks', async () => {
    const other = await createAdmin(app.deps, { permissions: { canDeleteUsers: false } })
    const { body } = await invite({ role: 'admin' }, other)
    const [result] = body.results
    expect(result?.invitation?.role).toBe('admin')
    expect(await register('ada@example.org', result?.invitation?.link)).toBe('admin')
    const user = await app.deps.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'ada@example.org')
      .executeTakeFirstOrThrow()
    expect(user.is_system_admin).toBe(0)
    expect(JSON.parse(user.permission_overrides ?? '{}')).toEqual({ canDeleteUsers: false })
  })

  it('is not granted if the inviter may not promote users any more, or is no administrator', async () => {
    const system = await createAdmin(app.deps, { isSystemAdmin: true })
    const { body } = await invite({ role: 'admin' })
    const [first, second] = body.results
    const permissions = { ...getPermissions({ role: 'admin', isSystemAdmin: false }), canEditUsers: false }
    await app.call(usersApi.setPermissions, { as: system, params: { id: admin.id }, body: permissions })
    expect(await register('ada@example.org', first?.invitation?.link)).toBe('user')
    await app.call(usersApi.update, { as: system, params: { id: admin.id }, body: { role: 'user' } })
    expect(await register('bob@example.org', second?.invitation?.link)).toBe('user')
    const entries = await app.deps.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'user.created')
      .orderBy('seq')
      .execute()
    expect(entries.map(({ after }) => JSON.parse(after ?? '{}'))).toMatchObject([
      { role: 'user', invitedAs: 'admin' },
      { role: 'user', invitedAs: 'admin' },
    ])
  })
})
