import { type EmbeddedSignIn, embeddedSignIn, embeddingApi } from '@lyceum/contract/embedding'
import * as z from 'zod/mini'
import { call } from '#api/call.ts'
import { setUnauthorizedHandler } from '#api/request.ts'
import { clearStoredSession, readStoredUser, readToken, storeSession, tokenKey } from '#api/token.ts'
import { clearDrafts } from '#lib/clear-drafts.ts'
import { log } from '#lib/log.ts'
import { createStore } from '#lib/store.ts'
import type { SessionState } from './session.ts'

/** What the chat finds instead of the session of the application: the sign-in has no permissions. */
export const noPermissions = createStore<SessionState>({
  user: null,
  pending: null,
  isLoading: false,
  isInitialized: true,
  isConfirmed: true,
  redirectTo: null,
})

const storedUser = z.extend(embeddedSignIn.shape.user, { expiresAt: embeddedSignIn.shape.expiresAt })

/** The user of the chat on another site. */
export type EmbeddedUser = z.output<typeof storedUser>

interface EmbeddedState {
  readonly user: EmbeddedUser | null
  /** The user whose sign-in has ended without a sign-out. */
  readonly former: EmbeddedUser | null
}

function parseUser(text: string | null): EmbeddedUser | null {
  try {
    return storedUser.safeParse(JSON.parse(text ?? 'null')).data ?? null
  } catch {
    return null
  }
}

/** Restores the stored sign-in. Clears one that is incomplete, unreadable or expired. */
function restore(now: Date): EmbeddedState {
  const user = parseUser(readStoredUser())
  const isComplete = user !== null && readToken() !== null
  if (isComplete && Date.parse(user.expiresAt) > now.getTime()) return { user, former: null }
  clearStoredSession()
  return { user: null, former: isComplete ? user : null }
}

/** The sign-in of the chat on another site. It is separate from the session of the application (storage-prefix.ts). */
export function createEmbeddedSession(now: () => Date = () => new Date()) {
  const store = createStore<EmbeddedState>(restore(now()))

  function end(former: EmbeddedUser | null): void {
    clearStoredSession()
    store.set({ user: null, former })
  }

  return {
    get: store.get,
    subscribe: store.subscribe,

    /** Listens to other frames and 401 responses, and returns a function to stop. */
    start: (): (() => void) => {
      const removeHandler = setUnauthorizedHandler((token) => {
        // Ignore a late 401 for a sign-in that has been replaced since.
        if (token !== null && token === readToken()) end(store.get().user)
      })
      function handleStorage({ key }: StorageEvent): void {
        if (key === tokenKey || key === null) store.set(restore(now()))
      }
      addEventListener('storage', handleStorage)
      return () => {
        removeHandler()
        removeEventListener('storage', handleStorage)
      }
    },

    open: ({ token, expiresAt, user }: EmbeddedSignIn): void => {
      const opened = { ...user, expiresAt }
      storeSession(token, opened)
      store.set({ user: opened, former: null })
    },

    /** Ends the sign-in here immediately, and on the server if it can be reached. */
    signOut: (channelId: string): void => {
      call(embeddingApi.signOut, { params: { channelId } }).catch((error: unknown) =>
        log('Signing out on the server failed', error),
      )
      clearDrafts()
      end(null)
    },
  }
}

export type EmbeddedSession = ReturnType<typeof createEmbeddedSession>
