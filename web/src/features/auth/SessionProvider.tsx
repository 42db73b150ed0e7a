import { createContext, type ReactNode, use, useEffect } from 'react'
import { useLocation } from 'wouter'
import { type ReadableStore, useStore, useStoreValue } from '#lib/store.ts'
import type { Session, SessionState } from './session.ts'
import type { SignedInUser } from './stored-session.ts'

const SessionContext = createContext<Session | null>(null)
const StateContext = createContext<ReadableStore<SessionState> | null>(null)

interface StateProps {
  store: ReadableStore<SessionState>
  children: ReactNode
}

/** Provides only the state of a session, for pages that cannot change it. */
export function SessionStateProvider({ store, children }: StateProps) {
  return <StateContext value={store}>{children}</StateContext>
}

interface Props {
  session: Session
  children: ReactNode
}

/** Provides the session and lets it navigate, so it must be inside the router. */
export function SessionProvider({ session, children }: Props) {
  const [, navigate] = useLocation()
  useEffect(() => session.start((path) => navigate(path, { replace: true })), [session, navigate])
  return (
    <SessionContext value={session}>
      <SessionStateProvider store={session}>{children}</SessionStateProvider>
    </SessionContext>
  )
}

export function useSessionActions(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error('SessionProvider is missing')
  return session
}

function useStateStore(): ReadableStore<SessionState> {
  const store = use(StateContext)
  if (store === null) throw new Error('SessionProvider is missing')
  return store
}

export function useSession(): SessionState {
  return useStore(useStateStore())
}

function selectUser({ user }: SessionState): SignedInUser | null {
  return user
}

export function useUser(): SignedInUser | null {
  return useStoreValue(useStateStore(), selectUser)
}
