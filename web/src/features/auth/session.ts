import { authApi, type LoginResult } from '@lyceum/contract/auth'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { setUnauthorizedHandler } from '#api/request.ts'
import { clearStoredSession, readToken, storeSession, storeUser, tokenKey } from '#api/token.ts'
import { forgetDrafts } from '#lib/forget-drafts.ts'
import { log } from '#lib/log.ts'
import { createStore } from '#lib/store.ts'
import {
  askForAnotherCode,
  clearPendingCode,
  type Door,
  type PendingCode,
  readPendingCode,
  storePendingCode,
} from './pending-code.ts'
import { restoreSession, type SignedInUser } from './stored-session.ts'

export interface SessionState {
  readonly user: SignedInUser | null
  /** The address and what else is known between the password and the code. */
  readonly pending: PendingCode | null
  /** While a sign-in is under way. */
  readonly isLoading: boolean
  readonly isInitialized: boolean
  /** The server has been asked about the stored session: what it said of somebody's rights holds again. */
  readonly isConfirmed: boolean
  /** Where this sign-in or sign-out leads, when the action decides rather than the role or the screen. */
  readonly landing: string | null
}

interface Credentials {
  email: string
  password: string
}

const anonymous = { user: null, pending: null, isLoading: false, landing: null } as const

/** Where a 401 leads from a path; null on the sign-in screens, which show the refusal themselves. */
export function signInPathFor(path: string): string | null {
  if (path === '/login' || path === '/admin/login') return null
  return path.startsWith('/admin') ? '/admin/login' : '/login'
}

export function homeOf(user: SignedInUser): string {
  return user.role === 'admin' ? '/admin' : '/dashboard'
}

/** The session of this browser: one object for the page's life, read by React through `SessionProvider`. */
export function createSession(now: () => Date = () => new Date()) {
  const store = createStore<SessionState>({ ...anonymous, isInitialized: false, isConfirmed: false })
  const tabs = new BroadcastChannel('lyceum.session')

  function set(change: Partial<SessionState>): void {
    store.set({ ...store.get(), ...change })
  }

  function signOutEverywhere(landing: string | null): void {
    clearStoredSession()
    clearPendingCode()
    set({ ...anonymous, landing })
    tabs.postMessage('signed-out')
  }

  /** Takes over what the storage holds: at the start, and when another tab has signed in or out. */
  function adopt(): void {
    const restored = restoreSession(now())
    if (restored === null) {
      set({ ...anonymous, pending: readPendingCode() })
      return
    }
    clearPendingCode()
    set({ user: restored, pending: null, landing: null })
  }

  /** Rights may have changed since they were stored. A refusal is a 401 and ends the session by itself. */
  async function refresh(): Promise<void> {
    const token = readToken()
    try {
      const user = token === null ? null : await call(authApi.me, {})
      if (user === null || readToken() !== token) return
      storeUser(user)
      set({ user })
    } catch (error) {
      log('The session could not be refreshed', error)
    } finally {
      set({ isConfirmed: true })
    }
  }

  /** Opens the session of an answer. False when the answer carries none. */
  function enter({ token, user }: LoginResult, landing: string | null): boolean {
    if (token === undefined || user === undefined) return false
    storeSession(token, user)
    clearPendingCode()
    set({ user, pending: null, isLoading: false, landing })
    return true
  }

  function hold(pending: PendingCode): void {
    storePendingCode(pending)
    set({ pending })
  }

  /** The storage is asked, because the browser's data may have been cleared under an open screen. */
  function pendingOrFail(): PendingCode {
    const pending = readPendingCode()
    if (pending !== null) return pending
    set({ pending })
    throw new ApiError(0, 'no-email')
  }

  async function whileLoading<T>(attempt: () => Promise<T>): Promise<T> {
    set({ isLoading: true })
    try {
      return await attempt()
    } finally {
      if (store.get().isLoading) set({ isLoading: false })
    }
  }

  return {
    get: store.get,
    subscribe: store.subscribe,

    /** Restores the stored session and listens to the other tabs and to refusals; returns how to stop. */
    start: (redirect: (path: string) => void): (() => void) => {
      adopt()
      set({ isInitialized: true })

      function leave(): void {
        const target = signInPathFor(location.pathname)
        if (target !== null) redirect(target)
      }
      const stopRefusals = setUnauthorizedHandler((token) => {
        // A late answer to a session that has already been replaced says nothing about the present one.
        if (token !== null && token !== readToken()) return
        signOutEverywhere(null)
        leave()
      })
      function handleTab({ data }: MessageEvent<unknown>): void {
        // A code that this tab waits for is no session that could have ended.
        if (data === 'signed-out' && readToken() === null) set({ ...anonymous, pending: readPendingCode() })
      }
      function handleStorage({ key }: StorageEvent): void {
        if (key === tokenKey || key === null) adopt()
      }
      tabs.addEventListener('message', handleTab)
      addEventListener('storage', handleStorage)
      void refresh()
      return () => {
        stopRefusals()
        tabs.removeEventListener('message', handleTab)
        removeEventListener('storage', handleStorage)
      }
    },

    refresh,

    /** Signs in with a password. Resolves true when a code is needed next. */
    login: ({ email, password }: Credentials, door: Door): Promise<boolean> =>
      whileLoading(async () => {
        const body = { email, password, ...(door === 'admin' ? { door } : {}) }
        const result = await call(authApi.login, { body })
        if (door === 'admin' && result.user !== undefined && result.user.role !== 'admin') {
          // The server refuses this by itself; an older one would have opened a session.
          storeSession(result.token ?? '', result.user)
          await call(authApi.logout, {}).catch(() => undefined)
          signOutEverywhere(null)
          throw new ApiError(403, 'auth.admin_only')
        }
        if (enter(result, door === 'admin' ? '/admin' : '/dashboard')) return false
        const { delivery = 'mail', resendAfter = 0 } = result
        hold({ email, door, delivery, resendAt: now().getTime() + resendAfter * 1000 })
        return true
      }),

    /** Finishes a sign-in with the code that was sent. Without a pending address: the code 'no-email'. */
    verify: (code: string): Promise<void> =>
      whileLoading(async () => {
        const { email } = pendingOrFail()
        enter(await call(authApi.verify, { body: { email, token: code } }), null)
      }),

    /** Has another code sent; until when that is refused is known afterwards in either case. */
    resendCode: async (): Promise<void> => {
      const { pending, refusal } = await askForAnotherCode(pendingOrFail(), now)
      // Meanwhile the person may have gone back, or be signed in.
      if (store.get().pending !== null) hold(pending)
      if (refusal !== null) throw refusal
    },

    /** Gives up waiting for a code, and leads back to the sign-in it belongs to. */
    abandonCode: (): void => {
      const landing = store.get().pending?.door === 'admin' ? '/admin/login' : '/login'
      clearPendingCode()
      set({ ...anonymous, landing })
    },

    /** Takes over a session that a password reset has opened. False when its answer carries none. */
    enter: (result: LoginResult): boolean => enter(result, '/dashboard'),

    /** The person changed something about themselves. */
    update: (change: Partial<SignedInUser>): void => {
      const current = store.get().user
      if (current === null) return
      const user = { ...current, ...change }
      storeUser(user)
      set({ user })
    },

    /** Ends the session here at once, and at the server when it can be reached. */
    logout: (): void => {
      if (readToken() !== null) call(authApi.logout, {}).catch((error: unknown) => log('Sign-out', error))
      forgetDrafts()
      signOutEverywhere('/login')
    },
  }
}

export type Session = ReturnType<typeof createSession>
