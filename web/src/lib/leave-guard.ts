import { useLayoutEffect, useRef, useState } from 'react'

interface Guard {
  pathname: string
  ask: (leave: () => void) => void
}

/** The guards of the page that is shown and of the dialogs on it. The last one asks first. */
let guards: readonly Guard[] = []

/** Lets the page ask before a navigation to another page. Returns whether it asks. */
export function askBeforeLeaving(to: string, leave: () => void): boolean {
  const guard = guards.at(-1)
  if (guard === undefined || new URL(to, location.href).pathname === guard.pathname) return false
  // Another guard may ask, too.
  guard.ask(() => {
    if (!askBeforeLeaving(to, leave)) leave()
  })
  return true
}

function warnBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Guards input on the current page until the returned function is called. */
function guardPage(ask: Guard['ask']): () => void {
  const { pathname } = location
  const guard = { pathname, ask }
  let { href } = location
  function rememberAddress(): void {
    href = location.href
  }
  function handlePopState(event: PopStateEvent): void {
    if (location.pathname === pathname) {
      rememberAddress()
      return
    }
    if (guard !== guards.at(-1)) return
    // The browser has already left. Add the page again, so that going back leads to where the user wanted to go.
    event.stopImmediatePropagation()
    history.pushState(null, '', href)
    ask(() => history.back())
  }
  guards = [...guards, guard]
  addEventListener('beforeunload', warnBeforeUnload)
  // Runs before the listeners of the router. The router itself dispatches the other two events.
  addEventListener('popstate', handlePopState, { capture: true })
  addEventListener('pushState', rememberAddress)
  addEventListener('replaceState', rememberAddress)
  return () => {
    guards = guards.filter((other) => other !== guard)
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
