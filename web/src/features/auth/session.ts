import { authApi, type LoginResult } from '@lyceum/contract/auth'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { isPermissionShown } from '@lyceum/contract/permissions'
import type { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { setUnauthorizedHandler } from '#api/request.ts'
import { clearStoredSession, readToken, storeSession, storeUser, tokenKey } from '#api/token.ts'
import { clearDrafts } from '#lib/clear-drafts.ts'
import { log } from '#lib/log.ts'
import { createStore } from '#lib/store.ts'
import {
  clearPendingCode,
  type Door,
  type PendingCode,
  readPendingCode,
  requestNewCode,
  storePendingCode,
} from './pending-code.ts'
import { takePendingConsent } from './pending-consent.ts'
import { restoreSession, type SignedInUser } from './stored-session.ts'

export interface SessionState {
  readonly user: SignedInUser | null
  readonly pending: PendingCode | null
  /** True while a sign-in is in progress. */
  readonly isLoading: boolean
  readonly isInitialized: boolean
  /** The server has confirmed the restored session, so the stored permissions are current. */
  readonly isConfirmed: boolean
  /** The path to open after this sign-in or sign-out. If null, the role or the page decides. */
  readonly redirectTo: string | null
}

interface Credentials {
  email: string
  password: string
}

const anonymous = { user: null, pending: null, isLoading: false, redirectTo: null } as const

/** The sign-in page to open after a 401. Null on the sign-in pages, which show the error themselves. */
export function getSignInPath(path: string): string | null {
  if (path === '/login' || path === '/admin/login') return null
  return path.startsWith('/admin') ? '/admin/login' : '/login'
}

/** The server refuses all calls of the admin area without it. */
export function canOpenAdminArea({ role, permissions }: SignedInUser): boolean {
  return role === 'admin' && isPermissionShown(permissions, 'canAccessAdminPanel')
}

export function getHomePath(user: SignedInUser): string {
  return canOpenAdminArea(user) ? '/admin' : '/dashboard'
}

/** The session of this browser. One instance lives as long as the page; `SessionProvider` gives it to React. */
export function createSession(now: () => Date = () => new Date()) {
  const store = createStore<SessionState>({ ...anonymous, isInitialized: false, isConfirmed: false })
  const tabChannel = new BroadcastChannel('lyceum.session')

  function set(change: Partial<SessionState>): void {
    store.set({ ...store.get(), ...change })
  }

  /** Signs out in all tabs of this browser. */
  function clearSession(redirectTo: string | null): void {
    clearStoredSession()
    clearPendingCode()
    set({ ...anonymous, redirectTo })
    tabChannel.postMessage('signed-out')
  }

  /** Loads the stored session, on start and when another tab has signed in or out. */
  function loadStoredSession(): void {
    const restored = restoreSession(now())
    if (restored === null) {
      set({ ...anonymous, pending: readPendingCode() })
      return
    }
    clearPendingCode()
    set({ user: restored, pending: null, redirectTo: null })
  }

  /** Reloads the user, whose permissions may have changed. On a 401, the API client ends the session. */
  async function refresh(): Promise<void> {
    const token = readToken()
    try {
      const user = token === null ? null : await call(authApi.me, {})
      if (user === null || readToken() !== token) return
      storeUser(user)
      // An equal user stays the same object, so that only what has changed is rendered again.
      if (JSON.stringify(user) !== JSON.stringify(store.get().user)) set({ user })
    } catch (error) {
      log('Refreshing the session failed', error)
    } finally {
      set({ isConfirmed: true })
    }
  }

  /** Starts the session in a login result. Returns false if the result has none. */
  function openSession({ token, user }: LoginResult, redirectTo: string | null): boolean {
    if (token === undefined || user === undefined) return false
    storeSession(token, user)
    clearPendingCode()
    set({ user, pending: null, isLoading: false, redirectTo: takePendingConsent() ?? redirectTo })
    return true
  }

  function setPending(pending: PendingCode): void {
    storePendingCode(pending)
    set({ pending })
  }

  /** Reads the storage, because the user may have cleared the browser's data while the page was open. */
  function requirePending(): PendingCode {
    const pending = readPendingCode()
    if (pending !== null) return pending
    set({ pending })
    throw new ApiError(0, 'no-email')
  }

  async function withLoadingState<T>(attempt: () => Promise<T>): Promise<T> {
    set({ isLoading: true })
    try {
      return await attempt()
    } finally {
      if (store.get().isLoading) set({ isLoading: false })
    }
  }

  /** Restores the session of an earlier visit. Called before the first render, it spares a loading state. */
  function restore(): void {
    loadStoredSession()
    set({ isInitialized: true })
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    restore,

    /** Restores the session if needed, listens to other tabs and 401 responses, and returns a function to stop. */
    start: (redirect: (path: string) => void): (() => void) => {
      if (!store.get().isInitialized) restore()

      const removeHandler = setUnauthorizedHandler((token) => {
        // Ignore a late 401 for a session that has been replaced since.
        if (token !== null && token !== readToken()) return
        clearSession(null)
        const target = getSignInPath(location.pathname)
        if (target !== null) redirect(target)
      })
      function handleTabMessage({ data }: MessageEvent<unknown>): void {
        // A sign-out elsewhere must not discard the code that this tab is waiting for.
        if (data === 'signed-out' && readToken() === null) set({ ...anonymous, pending: readPendingCode() })
      }
      function handleStorage({ key }: StorageEvent): void {
        if (key === tokenKey || key === null) loadStoredSession()
      }
      tabChannel.addEventListener('message', handleTabMessage)
      addEventListener('storage', handleStorage)
      void refresh()
      return () => {
        removeHandler()
        tabChannel.removeEventListener('message', handleTabMessage)
        removeEventListener('storage', handleStorage)
      }
    },

    refresh,

    /** Signs in with a password. Resolves with true when a code is required next. */
    login: ({ email, password }: Credentials, door: Door): Promise<boolean> =>
      withLoadingState(async () => {
        const body = { email, password, ...(door === 'admin' ? { door } : {}) }
        const result = await call(authApi.login, { body })
        if (door === 'admin' && result.user !== undefined && !canOpenAdminArea(result.user)) {
          // Our server refuses this itself. A server that only follows the specification opens a session.
          storeSession(result.token ?? '', result.user)
          await call(authApi.logout, {}).catch(() => undefined)
          clearSession(null)
          throw new ApiError(403, 'auth.admin_only')
        }
        if (openSession(result, door === 'admin' ? '/admin' : '/dashboard')) return false
        const { delivery = 'mail', resendAfter = 0 } = result
        setPending({ email, door, delivery, resendAt: now().getTime() + resendAfter * 1000 })
        return true
      }),

    /** Signs in after single sign-on. Resolves with true when a code is required next. */
    openSingleSignOn: (finished: Promise<ReplyOf<typeof singleSignOnApi.finish>>): Promise<boolean> =>
      withLoadingState(async () => {
        const result = await finished
        const { door, email = '', delivery = 'mail', resendAfter = 0 } = result
        if (openSession(result, door === 'admin' ? '/admin' : '/dashboard')) return false
        setPending({ email, door, delivery, resendAt: now().getTime() + resendAfter * 1000 })
        return true
      }),

    /** Finishes a sign-in with the code. Throws an `ApiError` 'no-email' when no sign-in is pending. */
    verify: (code: string): Promise<void> =>
      withLoadingState(async () => {
        const { email } = requirePending()
        openSession(await call(authApi.verify, { body: { email, token: code } }), null)
      }),

    /** Requests another code and updates the cool-down, on success and on refusal. */
    resendCode: async (): Promise<void> => {
      const { pending, refusal } = await requestNewCode(requirePending(), now)
      // The user may have gone back or signed in meanwhile.
      if (store.get().pending !== null) setPending(pending)
      if (refusal !== null) throw refusal
    },

    /** Discards the pending sign-in and returns to the page where it began. */
    cancelPendingCode: (): void => {
      const redirectTo = store.get().pending?.door === 'admin' ? '/admin/login' : '/login'
      clearPendingCode()
      set({ ...anonymous, redirectTo })
    },

    /** Starts the session that a password reset returned. Returns false if there is none. */
    open: (result: LoginResult): boolean => openSession(result, '/dashboard'),

    /** Applies a change that the user made to their own account. */
    update: (change: Partial<SignedInUser>): void => {
      const current = store.get().user
      if (current === null) return
      const user = { ...current, ...change }
      storeUser(user)
      set({ user })
    },

    /** Ends the session in this browser immediately, and on the server if it can be reached. */
    logout: (): void => {
      if (readToken() !== null)
        call(authApi.logout, {}).catch((error: unknown) => log('Signing out on the server failed', error))
      clearDrafts()
      clearSession('/login')
    },
  }
}

export type Session = ReturnType<typeof createSession>
