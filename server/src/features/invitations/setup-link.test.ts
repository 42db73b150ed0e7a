import { authApi } from '@lyceum/contract/auth'
import { invitationsApi } from '@lyceum/contract/invitations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createNodeSetupLink, createSetupLink } from './setup-link.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

async function createSetupToken(): Promise<string> {
  return new URL((await createSetupLink(app.deps)) ?? 'http://none').searchParams.get('token') ?? ''
}

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

describe('GET /invitations/verify/{token}', () => {
  it.each(['x', 'a'.repeat(43), `${'a'.repeat(42)}%2F`, '%00', `${'a'.repeat(43)}'--`])(
    'gives the same error for the unknown link %j',
    async (token) => {
      const { status, body } = await app.call(invitationsApi.verify, { params: { token } })
      expect(status).toBe(400)
      expect(body.message).toBe('Invalid or expired invitation')
    },
  )

  it('tells the holder that the link has expired', async () => {
    const token = await createSetupToken()
    app.advance(3_600_001)
    const { status, body } = await app.call(invitationsApi.verify, { params: { token } })
    expect([status, body.code]).toEqual([400, 'invitation.expired'])
  })

  it('does not consume the link', async () => {
    const token = await createSetupToken()
    for (let i = 0; i < 3; i += 1) {
      const { status, body } = await app.call(invitationsApi.verify, { params: { token } })
      expect(status).toBe(200)
      expect(body).toEqual({
        email: '',
        fullName: '',
        twoFactorExpiryEnabled: false,
        twoFactorExpiryDays: 30,
        isSetup: true,
      })
    }
  })
})

describe('GET /auth/setup', () => {
  it('tells visitors whether there is a user, and nothing else', async () => {
    const before = await app.call(authApi.setupState, {})
    expect([before.status, before.body]).toEqual([200, { isSetUp: false }])
    const token = await createSetupToken()
    expect((await app.call(authApi.setupState, {})).body).toEqual({ isSetUp: false })
    await app.call(authApi.register, { body: { ...owner, token } })
    expect((await app.call(authApi.setupState, {})).body).toEqual({ isSetUp: true })
  })
})

describe('POST /auth/register with the setup link', () => {
  it('rejects missing or invalid input and changes nothing', async () => {
    const token = await createSetupToken()
    const bodies = [
      [{ ...owner, token, fullName: '  ' }, 'Full name is required'],
      [{ ...owner, token, password: 'short' }, 'Password must be at least 8 characters'],
      [{ ...owner, token, email: 'owner' }, 'Invalid email address'],
      [
        { ...owner, token, password: 'owner@example.org' },
        'This password is too easy to guess. Please choose another one.',
      ],
      [{ ...owner, token: 'a'.repeat(43) }, 'Invalid or expired invitation'],
    ] as const
    for (const [body, message] of bodies) {
      const response = await app.call(authApi.register, { body })
      expect([response.status, response.body.message]).toEqual([400, message])
    }
    const wrongType = await app.call(authApi.register, { body: { ...owner, token: [token] as never } })
    expect(wrongType.status).toBe(400)
    expect(await app.deps.db.selectFrom('users').selectAll().execute()).toEqual([])
  })

  it('makes the first user the system administrator, who can sign in', async () => {
    const token = await createSetupToken()
    const body = { ...owner, token, role: 'user', isSystemAdmin: false, _id: 'mine' }
    expect((await app.call(authApi.register, { body })).status).toBe(200)
    const { body: result } = await app.call(authApi.login, {
      body: { email: owner.email, password: owner.password },
    })
    expect(result.user).toMatchObject({ name: 'Olu Owner', role: 'admin', isSystemAdmin: true })
    expect(result.user?._id).not.toBe('mine')
    expect(await createSetupLink(app.deps)).toBeNull()
  })

  it('works once, even for concurrent requests', async () => {
    const token = await createSetupToken()
    const attempts = await Promise.all(
      ['a@example.org', 'b@example.org'].map((email) =>
        app.call(authApi.register, { body: { ...owner, email, token } }),
      ),
    )
    expect(attempts.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await app.deps.db.selectFrom('users').selectAll().execute()).toHaveLength(1)
    expect((await app.call(authApi.register, { body: { ...owner, token } })).body.code).toBe(
      'invitation.used',
    )
  })

  it('invalidates the previous link', async () => {
    const earlier = await createSetupToken()
    await createSetupToken()
    expect((await app.call(invitationsApi.verify, { params: { token: earlier } })).status).toBe(400)
  })
})

it('accepts only the configured owner’s address', async () => {
  const appWithOwner = await buildTestApp({ env: { OWNER_EMAIL: 'Owner@Example.org' } })
  try {
    const link = new URL((await createSetupLink(appWithOwner.deps)) ?? 'http://none')
    const token = link.searchParams.get('token') ?? ''
    expect((await appWithOwner.call(invitationsApi.verify, { params: { token } })).body.email).toBe(
      'owner@example.org',
    )
    const other = await appWithOwner.call(authApi.register, {
      body: { ...owner, email: 'other@example.org', token },
    })
    expect(other.body.code).toBe('invitation.email_mismatch')
  } finally {
    await appWithOwner.close()
  }
})

describe('the setup link of several servers', () => {
  function createOn(name: string) {
    return createNodeSetupLink({ ...app.deps, env: { ...app.deps.env, NODE_NAME: name } })
  }
  const newLink = { link: expect.stringContaining('/register?token=') }

  it('is not replaced for ten minutes by servers that start after the first', async () => {
    const [one, other] = await Promise.all([createOn('node-a'), createOn('node-b')])
    const printers = [one, other].flatMap((hint) => (hint && 'printedBy' in hint ? [hint.printedBy] : []))
    expect(printers).toEqual([one && 'link' in one ? 'node-a' : 'node-b'])
    app.advance(600_001)
    expect(await createOn('node-c')).toEqual(newLink)
    expect(await createOn('node-d')).toEqual({ printedBy: 'node-c' })
  })

  it('is replaced if a command has invalidated the one that was printed', async () => {
    await createOn('node-a')
    await createSetupLink(app.deps)
    expect(await createOn('node-b')).toEqual(newLink)
  })

  it('is not mentioned once there is a user', async () => {
    await createOn('node-a')
    await createUser(app.deps)
    expect(await createOn('node-b')).toBeNull()
  })
})
