import { createContext, type ReactNode, use, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useStore } from '#lib/store.ts'
import type { Session, SessionState } from './session.ts'

const SessionContext = createContext<Session | null>(null)

interface Props {
  session: Session
  children: ReactNode
}

/** Gives the session to the screens and lets it redirect. Stands inside the router. */
export function SessionProvider({ session, children }: Props) {
  const [, navigate] = useLocation()
  useEffect(() => session.start((path) => navigate(path, { replace: true })), [session, navigate])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** What can be done with the session: sign in, sign out, change. */
export function useSessionActions(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error('SessionProvider is missing')
  return session
}

export function useSession(): SessionState {
  return useStore(useSessionActions())
}
