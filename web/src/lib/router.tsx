import { createContext, type ReactNode, use, useDeferredValue, useMemo } from 'react'
import { type AroundNavHandler, type BaseLocationHook, Router } from 'wouter'
import { navigate, useHistoryState, usePathname, useSearch } from 'wouter/use-browser-location'
import { askBeforeLeaving } from './leave-guard.ts'

interface RouterLocation {
  pathname: string
  search: string
  /** The state passed by the previous page. */
  state: unknown
}

const LocationContext = createContext<RouterLocation>({ pathname: '/', search: '', state: null })

export function useNavigationState(): unknown {
  return use(LocationContext).state
}

const useDeferredLocation: BaseLocationHook = () => [use(LocationContext).pathname, navigate]

// wouter unescapes the query before URLSearchParams does: '%2541' would be read as 'A'.
useDeferredLocation.searchHook = () => use(LocationContext).search.replaceAll('%', '%25')

/**
 * Replaces the history entry when the URL does not change, so that Back does not lead to the same page. A page with
 * unsaved input asks first.
 */
const navigateGuarded: AroundNavHandler = (go, to, { replace = false, state } = {}) => {
  const isSameUrl = new URL(to, location.href).href === location.href
  function leave(): void {
    go(to, { replace: replace || isSameUrl, state })
  }
  if (!askBeforeLeaving(to, leave)) leave()
}

/**
 * A wouter router that defers a new location for all components at once, so that a page stays visible until the code of
 * the next one is loaded.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const pathname = useDeferredValue(usePathname())
  const search = useDeferredValue(useSearch())
  const state = useDeferredValue<unknown>(useHistoryState())
  const location = useMemo(() => ({ pathname, search, state }), [pathname, search, state])
  return (
    <LocationContext value={location}>
      <Router hook={useDeferredLocation} aroundNav={navigateGuarded}>
        {children}
      </Router>
    </LocationContext>
  )
}
