import { createContext, type ReactNode, use, useDeferredValue, useMemo } from 'react'
import { type AroundNavHandler, type BaseLocationHook, Router } from 'wouter'
import { navigate, useHistoryState, usePathname, useSearch } from 'wouter/use-browser-location'

interface Place {
  pathname: string
  search: string
  /** What the screen before has handed on. */
  state: unknown
}

const PlaceContext = createContext<Place>({ pathname: '/', search: '', state: null })

export function useHandedOn(): unknown {
  return use(PlaceContext).state
}

const usePlace: BaseLocationHook = () => [use(PlaceContext).pathname, navigate]

// The library unescapes the query once before URLSearchParams does: '%2541' would be read as 'A'.
usePlace.searchHook = () => use(PlaceContext).search.replaceAll('%', '%25')

/** Back leads to what was before, not to the same screen once more. */
const notTwice: AroundNavHandler = (go, to, { replace = false, state } = {}) => {
  const isHere = new URL(to, location.href).href === location.href
  go(to, { replace: replace || isHere, state })
}

/**
 * The screens follow the address bar. The library's own hook reads it as it is; here the screens see it deferred, all
 * of them at once, so that a screen stays until the next one has been fetched.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const pathname = useDeferredValue(usePathname())
  const search = useDeferredValue(useSearch())
  const state = useDeferredValue<unknown>(useHistoryState())
  const place = useMemo(() => ({ pathname, search, state }), [pathname, search, state])
  return (
    <PlaceContext value={place}>
      <Router hook={usePlace} aroundNav={notTwice}>
        {children}
      </Router>
    </PlaceContext>
  )
}
