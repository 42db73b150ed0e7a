import { authApi, type LoginResult } from '@lyceum/contract/auth'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { setUnauthorizedHandler } from '#api/request.ts'
import { clearStoredSession, readToken, storeSession, storeUser, tokenKey } from '#api/token.ts'
import { log } from '#lib/log.ts'
import { restoreSession, type SignedInUser } from './stored-session.ts'

export interface SessionState {
  readonly user: SignedInUser | null
  /** The address between the password and the code. */
  readonly tempEmail: string | null
  /** While a sign-in is under way. */
  readonly isLoading: boolean
  readonly isInitialized: boolean
  /** Where this sign-in or sign-out leads, when the deed decides rather than the role or the screen. */
  readonly landing: string | null
}

export type Door = 'user' | 'admin'

interface Credentials {
  email: string
  password: string
}

const anonymous = { user: null, tempEmail: null, isLoading: false, landing: null } as const

/** Where a 401 leads from a path; null on the sign-in screens, which show the refusal themselves. */
export const signInPathFor = (path: string): string | null => {
  if (path === '/login' || path === '/admin/login') return null
  return path.startsWith('/admin') ? '/admin/login' : '/login'
}

export const homeOf = (user: SignedInUser): string => (user.role === 'admin' ? '/admin' : '/dashboard')

/** The session of this browser: one object for the page's life, read by React through `SessionProvider`. */
export const createSession = (now: () => Date = () => new Date()) => {
  let state: SessionState = { ...anonymous, isInitialized: false }
  const listeners = new Set<() => void>()
  const tabs = new BroadcastChannel('lyceum.session')

  const set = (change: Partial<SessionState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const signOutEverywhere = (landing: string | null): void => {
    clearStoredSession()
    set({ ...anonymous, landing })
    tabs.postMessage('signed-out')
  }

  /** Takes over what the storage holds: at the start, and when another tab has signed in or out. */
  const adopt = (): void => {
    const restored = restoreSession(now())
    if (restored === null) set(anonymous)
    else set({ user: restored, tempEmail: null, landing: null })
  }

  /** Rights may have changed since they were stored. A refusal is a 401 and ends the session by itself. */
  const refresh = async (): Promise<void> => {
    const token = readToken()
    if (token === null) return
    try {
      const user = await call(authApi.me, {})
      if (readToken() !== token) return
      storeUser(user)
      set({ user })
    } catch (error) {
      log('The session could not be refreshed', error)
    }
  }

  const enter = (result: LoginResult, email: string, landing: string | null): void => {
    if (result.token === undefined || result.user === undefined) {
      set({ tempEmail: email, isLoading: false })
      return
    }
    storeSession(result.token, result.user)
    set({ user: result.user, tempEmail: null, isLoading: false, landing })
  }

  const whileLoading = async <T>(attempt: () => Promise<T>): Promise<T> => {
    set({ isLoading: true })
    try {
      return await attempt()
    } finally {
      if (state.isLoading) set({ isLoading: false })
    }
  }

  return {
    getState: (): SessionState => state,

    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Restores the stored session and listens to the other tabs and to refusals; returns how to stop. */
    start: (redirect: (path: string) => void): (() => void) => {
      adopt()
      set({ isInitialized: true })

      const leave = (): void => {
        const target = signInPathFor(location.pathname)
        if (target !== null) redirect(target)
      }
      const stopRefusals = setUnauthorizedHandler((token) => {
        // A late answer to a session that has already been replaced says nothing about the present one.
        if (token !== null && token !== readToken()) return
        signOutEverywhere(null)
        leave()
      })
      const handleTab = ({ data }: MessageEvent<unknown>): void => {
        if (data === 'signed-out' && readToken() === null) set(anonymous)
      }
      const handleStorage = ({ key }: StorageEvent): void => {
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
        enter(result, email, door === 'admin' ? '/admin' : '/dashboard')
        return result.token === undefined
      }),

    /** Finishes a sign-in with the code that was sent. Without a pending address: the code 'no-email'. */
    verify: (code: string): Promise<void> =>
      whileLoading(async () => {
        const email = state.tempEmail
        if (email === null) throw new ApiError(0, 'no-email')
        enter(await call(authApi.verify, { body: { email, token: code } }), email, null)
      }),

    /** Takes over a session that another call has opened, as a password reset does. */
    enter: (result: LoginResult, email: string): void => enter(result, email, '/dashboard'),

    /** The person changed something about themselves. */
    update: (change: Partial<SignedInUser>): void => {
      if (state.user === null) return
      const user = { ...state.user, ...change }
      storeUser(user)
      set({ user })
    },

    /** Ends the session here at once, and at the server when it can be reached. */
    logout: (): void => {
      if (readToken() !== null) call(authApi.logout, {}).catch((error: unknown) => log('Sign-out', error))
      signOutEverywhere('/login')
    },
  }
}

export type Session = ReturnType<typeof createSession>
