import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { readStoredUser, readToken, storeSession, tokenKey, userKey } from '#api/token.ts'
import { readDraft, saveDraft } from '#lib/drafts.ts'
import { readUnsent, saveUnsent } from '#lib/unsent-messages.ts'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { anAdmin, aToken, aUser, signIn } from '#testing/users.ts'
import { type PendingCode, readPendingCode, storePendingCode } from './pending-code.ts'
import { createSession, getSignInPath } from './session.ts'

const now = new Date('2026-11-20T12:00:00Z')
const nowSeconds = now.getTime() / 1000

const aPendingCode: PendingCode = {
  email: 'ada@example.com',
  door: 'user',
  delivery: 'mail',
  resendAt: now.getTime(),
}

let api: FakeApi
let cleanups: (() => void)[] = []

function startSession(redirect: (path: string) => void = () => undefined) {
  const session = createSession(() => now)
  cleanups.push(session.start(redirect))
  return session
}

function signInWithStoredUser(text: string): void {
  signIn(aUser())
  localStorage.setItem(userKey, text)
}

beforeEach(() => {
  api = fakeApi().on(authApi.me, () => aUser())
})

afterEach(() => {
  for (const stop of cleanups) stop()
  cleanups = []
})

describe('restoring a session', () => {
  it('is not initialized before start', () => {
    expect(createSession().get().isInitialized).toBe(false)
  })

  it('restores a stored token and user', () => {
    signIn(aUser(), aToken(nowSeconds + 60))
    expect(startSession().get()).toMatchObject({ isInitialized: true, user: { name: 'Ada Example' } })
  })

  it('accepts a token without an expiry', () => {
    signIn(aUser(), aToken())
    expect(startSession().get().user?._id).toBe('user-1')
  })

  it.each([
    ['nothing is stored', () => undefined],
    ['the token is missing', () => localStorage.setItem(userKey, JSON.stringify(aUser()))],
    ['the user is missing', () => localStorage.setItem(tokenKey, aToken())],
    ['the user is not JSON', () => signInWithStoredUser('{"_id":')],
    ['the user is JSON of another shape', () => signInWithStoredUser('"Ada"')],
    ['the expiry is this second', () => signIn(aUser(), aToken(nowSeconds))],
    ['the expiry has passed', () => signIn(aUser(), aToken(nowSeconds - 1))],
  ])('is anonymous and clears the storage when %s', (_, arrange) => {
    arrange()
    expect(startSession().get()).toEqual({
      user: null,
      pending: null,
      isLoading: false,
      isInitialized: true,
      isConfirmed: true,
      redirectTo: null,
    })
    expect([readToken(), readStoredUser()]).toEqual([null, null])
  })

  it('refreshes the user from the server and stores it', async () => {
    api.on(authApi.me, () => aUser({ name: 'Ada Renamed' }))
    signIn(aUser())
    const session = startSession()
    await vi.waitFor(() => expect(session.get().user?.name).toBe('Ada Renamed'))
    expect(readStoredUser()).toContain('Ada Renamed')
  })

  it('keeps the same object for a user that has not changed, so that nothing is rendered again', async () => {
    signIn(aUser())
    const session = startSession()
    const restored = session.get().user
    await vi.waitFor(() => expect(session.get().isConfirmed).toBe(true))
    expect(api.calls(authApi.me)).toHaveLength(1)
    expect(session.get().user).toBe(restored)
  })

  it('keeps the stored user when the server cannot be reached', async () => {
    api.on(authApi.me, () => {
      throw new NoNetwork()
    })
    signIn(aUser())
    const session = startSession()
    await vi.waitFor(() => expect(api.calls(authApi.me)).toHaveLength(1))
    expect(session.get().user?.name).toBe('Ada Example')
  })
})

describe('signing in', () => {
  const credentials = { email: 'ada@example.com', password: 'a long password' }

  it('signs in when the result has a token, and stores token and user', async () => {
    const token = aToken()
    api.on(authApi.login, () => ({ token, user: aUser() }))
    const session = startSession()
    expect(await session.login(credentials, 'user')).toBe(false)
    expect(session.get()).toMatchObject({ user: { _id: 'user-1' }, pending: null, isLoading: false })
    expect(readToken()).toBe(token)
    expect(JSON.parse(readStoredUser() ?? '')).toMatchObject({ _id: 'user-1' })
  })

  it('keeps the email address when a code is required, then signs in with the code', async () => {
    api.on(authApi.login, () => ({ requires2FA: true, delivery: 'outbox' as const, resendAfter: 60 }))
    api.on(authApi.verify, () => ({ token: aToken(), user: aUser() }))
    const session = startSession()
    expect(await session.login(credentials, 'user')).toBe(true)
    const pending = {
      email: 'ada@example.com',
      door: 'user',
      delivery: 'outbox',
      resendAt: now.getTime() + 60_000,
    }
    expect(session.get()).toMatchObject({ user: null, pending })
    expect(readToken()).toBeNull()

    await session.verify('123456')
    expect(api.calls(authApi.verify)[0]?.body).toEqual({ email: 'ada@example.com', token: '123456' })
    expect(session.get()).toMatchObject({ user: { _id: 'user-1' }, pending: null, redirectTo: null })
    expect(startSession().get().pending).toBeNull()
  })

  it('rejects a code without a pending sign-in', async () => {
    await expect(startSession().verify('123456')).rejects.toMatchObject({ code: 'no-email' })
  })

  it('is loading only during the request, even if it fails', async () => {
    api.on(authApi.login, () => refuse('auth.invalid_credentials'))
    const session = startSession()
    const attempt = session.login(credentials, 'user')
    expect(session.get().isLoading).toBe(true)
    await expect(attempt).rejects.toMatchObject({ status: 401, message: 'Invalid email or password' })
    expect(session.get().isLoading).toBe(false)
  })

  it('sends door: admin from the administrator sign-in', async () => {
    api.on(authApi.login, () => ({ token: aToken(), user: anAdmin() }))
    const session = startSession()
    await session.login(credentials, 'admin')
    expect(api.calls(authApi.login)[0]?.body).toMatchObject({ door: 'admin' })
    expect(session.get()).toMatchObject({ user: { role: 'admin' }, redirectTo: '/admin' })
  })

  it.each([
    ['an ordinary user', aUser()],
    [
      'an administrator without canAccessAdminPanel',
      anAdmin({ permissions: { ...anAdmin().permissions, canAccessAdminPanel: false } }),
    ],
  ])('signs out %s who got a session from the administrator sign-in', async (_, user) => {
    api.on(authApi.login, () => ({ token: aToken(), user }))
    api.on(authApi.logout, () => undefined)
    const session = startSession()
    await expect(session.login(credentials, 'admin')).rejects.toBeInstanceOf(ApiError)
    expect(session.get().user).toBeNull()
    expect(readToken()).toBeNull()
    expect(api.calls(authApi.logout)).toHaveLength(1)
  })
})

describe('pending sign-in', () => {
  it('is restored when the tab is restored', () => {
    storePendingCode(aPendingCode)
    expect(startSession().get()).toMatchObject({ user: null, pending: aPendingCode })
  })

  it.each(['{"email":', '{"email":"ada@example.com"}'])('is ignored when it cannot be parsed: %s', (text) => {
    storePendingCode(aPendingCode)
    const key = sessionStorage.key(0) ?? ''
    sessionStorage.setItem(key, text)
    expect(startSession().get().pending).toBeNull()
  })

  it('is cleared when a session exists', () => {
    storePendingCode(aPendingCode)
    signIn(aUser())
    expect(startSession().get().pending).toBeNull()
    expect(readPendingCode()).toBeNull()
  })

  it('survives a sign-out in another tab', async () => {
    api.on(authApi.logout, () => undefined)
    storePendingCode(aPendingCode)
    const here = startSession()
    const listener = vi.fn()
    here.subscribe(listener)
    // The message another tab would send. That tab has its own session storage.
    new BroadcastChannel('lyceum.session').postMessage('signed-out')
    await vi.waitFor(() => expect(listener).toHaveBeenCalled())
    expect(here.get().pending).toEqual(aPendingCode)
  })

  it.each([
    ['user', '/login'],
    ['admin', '/admin/login'],
  ] as const)('returns to the %s sign-in when it is abandoned', (door, redirectTo) => {
    storePendingCode({ ...aPendingCode, door })
    const session = startSession()
    session.cancelPendingCode()
    expect(session.get()).toMatchObject({ pending: null, redirectTo })
    expect(readPendingCode()).toBeNull()
  })

  it('stays abandoned when the response to a resend arrives late', async () => {
    api.on(authApi.resendCode, () => ({ message: '', delivery: 'mail' as const, resendAfter: 60 }))
    storePendingCode(aPendingCode)
    const session = startSession()
    const resending = session.resendCode()
    session.cancelPendingCode()
    await resending
    expect(session.get().pending).toBeNull()
    expect(readPendingCode()).toBeNull()
  })
})

describe('signing out', () => {
  it('clears token, user and pending sign-in, and tells the server with the old token', async () => {
    api.on(authApi.logout, () => undefined)
    const token = aToken()
    signIn(aUser(), token)
    const session = startSession()
    storePendingCode(aPendingCode)
    session.logout()
    expect(session.get()).toMatchObject({ user: null, pending: null })
    expect(readPendingCode()).toBeNull()
    expect([readToken(), readStoredUser()]).toEqual([null, null])
    await vi.waitFor(() => expect(api.calls(authApi.logout)).toHaveLength(1))
    expect(api.calls(authApi.logout)[0]?.headers.get('authorization')).toBe(`Bearer ${token}`)
  })

  it('works even when the server cannot be reached', () => {
    api.on(authApi.logout, () => {
      throw new NoNetwork()
    })
    signIn(aUser())
    const session = startSession()
    session.logout()
    expect(session.get().user).toBeNull()
  })
})

describe('drafts and unsent messages', () => {
  const mine = { userId: 'user-1', chatId: 'a' }
  function storeTexts(): void {
    saveDraft(mine, 'half a thought')
    saveUnsent(mine, { key: 'k1', text: 'a whole one', timestamp: new Date().toISOString() })
  }
  function readTexts() {
    return [readDraft(mine), ...readUnsent(mine).map(({ text }) => text)]
  }
  const all = ['half a thought', 'a whole one']

  it('are removed on sign-out', () => {
    api.on(authApi.logout, () => undefined)
    signIn(aUser())
    const session = startSession()
    storeTexts()
    session.logout()
    expect(readTexts()).toEqual([''])
  })

  it('are kept when the session is ended elsewhere', async () => {
    api.on(channelsApi.list, () => refuse('auth.session_ended'))
    signIn(aUser())
    const session = startSession()
    storeTexts()
    await expect(call(channelsApi.list, {})).rejects.toMatchObject({ status: 401 })
    expect(session.get().user).toBeNull()
    expect(readTexts()).toEqual(all)
  })

  it('are kept when the session expires', () => {
    storeTexts()
    signIn(aUser(), aToken(nowSeconds - 1))
    expect(startSession().get().user).toBeNull()
    expect(readTexts()).toEqual(all)
  })
})

describe('a 401 on any call', () => {
  it.each([
    ['/dashboard', '/login'],
    ['/channels/1', '/login'],
    ['/admin', '/admin/login'],
    ['/admin/documents', '/admin/login'],
    ['/login', null],
    ['/admin/login', null],
  ])('on %s redirects to %s', (path, target) => {
    expect(getSignInPath(path)).toBe(target)
  })

  it('signs out and redirects', async () => {
    api.on(channelsApi.list, () => refuse('auth.session_ended'))
    signIn(aUser())
    history.replaceState(null, '', '/dashboard')
    const redirect = vi.fn()
    const session = startSession(redirect)
    await expect(call(channelsApi.list, {})).rejects.toMatchObject({ status: 401 })
    expect(session.get().user).toBeNull()
    expect(readToken()).toBeNull()
    expect(redirect).toHaveBeenCalledExactlyOnceWith('/login')
  })

  it('stays on the sign-in page, which shows the error', async () => {
    api.on(authApi.login, () => refuse('auth.invalid_credentials'))
    history.replaceState(null, '', '/login')
    const redirect = vi.fn()
    const attempt = startSession(redirect).login(
      { email: 'ada@example.com', password: 'a long password' },
      'user',
    )
    await expect(attempt).rejects.toMatchObject({ status: 401 })
    expect(redirect).not.toHaveBeenCalled()
  })

  it('does not end a newer session when it belongs to an older one', async () => {
    signIn(aUser(), aToken(nowSeconds + 60))
    const session = startSession()
    api.on(channelsApi.list, () => {
      storeSession(aToken(nowSeconds + 120), aUser())
      return refuse('auth.session_ended')
    })
    await expect(call(channelsApi.list, {})).rejects.toMatchObject({ status: 401 })
    expect(session.get().user).not.toBeNull()
  })

  it('leaves other errors to the caller', async () => {
    api.on(channelsApi.list, () => refuse('permission.denied'))
    signIn(aUser())
    const redirect = vi.fn()
    const session = startSession(redirect)
    await expect(call(channelsApi.list, {})).rejects.toMatchObject({ status: 403 })
    expect(session.get().user).not.toBeNull()
    expect(redirect).not.toHaveBeenCalled()
  })
})

describe('other tabs', () => {
  it('are signed out with this one', async () => {
    api.on(authApi.logout, () => undefined)
    signIn(aUser())
    const here = startSession()
    const there = startSession()
    here.logout()
    await vi.waitFor(() => expect(there.get().user).toBeNull())
  })

  it('sign this one out by clearing the storage', () => {
    signIn(aUser())
    const session = startSession()
    localStorage.clear()
    dispatchEvent(new StorageEvent('storage', { key: tokenKey }))
    expect(session.get().user).toBeNull()
  })

  it('share a session that they opened', () => {
    const session = startSession()
    signIn(aUser())
    dispatchEvent(new StorageEvent('storage', { key: tokenKey }))
    expect(session.get().user?._id).toBe('user-1')
  })
})
