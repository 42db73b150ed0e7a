import { useLayoutEffect, useRef, useState } from 'react'

interface Guard {
  pathname: string
  ask: (leave: () => void) => void
}

/** The guard of the page that is shown, because only one page has input to lose. */
let guard: Guard | null = null

/** Lets the page ask before a navigation to another page. Returns whether it asks. */
export function askBeforeLeaving(to: string, leave: () => void): boolean {
  if (guard === null || new URL(to, location.href).pathname === guard.pathname) return false
  guard.ask(leave)
  return true
}

function warnBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Guards the current page until the returned function is called. */
function guardPage(ask: Guard['ask']): () => void {
  const { pathname } = location
  let { href } = location
  function rememberAddress(): void {
    href = location.href
  }
  function handlePopState(event: PopStateEvent): void {
    if (location.pathname === pathname) {
      rememberAddress()
      return
    }
    // The browser has already left. Add the page again, so that going back leads to where the user wanted to go.
    event.stopImmediatePropagation()
    history.pushState(null, '', href)
    ask(() => history.back())
  }
  guard = { pathname, ask }
  addEventListener('beforeunload', warnBeforeUnload)
  // Runs before the listeners of the router. The router itself dispatches the other two events.
  addEventListener('popstate', handlePopState, { capture: true })
  addEventListener('pushState', rememberAddress)
  addEventListener('replaceState', rememberAddress)
  return () => {
    guard = null
    removeEventListener('beforeunload', warnBeforeUnload)
    removeEventListener('popstate', handlePopState, { capture: true })
    removeEventListener('pushState', rememberAddress)
    removeEventListener('replaceState', rememberAddress)
  }
}

interface LeaveGuard {
  isAsking: boolean
  leave: () => void
  stay: () => void
}

/** Holds back navigation to another page while there is input to lose. The browser asks before it closes the page. */
export function useLeaveGuard(isActive: boolean): LeaveGuard {
  const [pending, setPending] = useState<{ leave: () => void } | null>(null)
  const release = useRef<() => void>(undefined)
  // A layout effect ends before a redirect of the next page, such as after signing out, begins.
  useLayoutEffect(() => {
    if (!isActive) return
    release.current = guardPage((leave) => setPending({ leave }))
    return release.current
  }, [isActive])
  return {
    isAsking: pending !== null,
    leave: () => {
      setPending(null)
      release.current?.()
      pending?.leave()
    },
    stay: () => setPending(null),
  }
}
