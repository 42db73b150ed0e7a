import { createContext, type ReactNode, use, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useStore } from '#lib/store.ts'
import type { Session, SessionState } from './session.ts'

const SessionContext = createContext<Session | null>(null)

interface Props {
  session: Session
  children: ReactNode
}

/** Provides the session and lets it navigate, so it must be inside the router. */
export function SessionProvider({ session, children }: Props) {
  const [, navigate] = useLocation()
  useEffect(() => session.start((path) => navigate(path, { replace: true })), [session, navigate])
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSessionActions(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error('SessionProvider is missing')
  return session
}

export function useSession(): SessionState {
  return useStore(useSessionActions())
}
