import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'

/** Where somebody is: what stands in the address bar, and what the screen before has handed on. */
interface Location {
  pathname: string
  search: string
  hash: string
  state: unknown
}

interface Going {
  /** The entry of the history is written over: Back leads to what was before it. */
  replace?: boolean | undefined
  state?: unknown
}

interface Router {
  location: Location
  /** `isBeside`: it takes the place of where somebody is. */
  go: (to: Location, isBeside: boolean) => void
}

type Params = Readonly<Record<string, string>>

const RouterContext = createContext<Router | null>(null)
const ParamsContext = createContext<Params>({})

const useRouter = (): Router => {
  const router = use(RouterContext)
  if (router === null) throw new Error('There is no router around this')
  return router
}

/** What an address means that is written on the screen at `from`: '/path?query', or '?query' alone. */
const resolve = (to: string, from: string, state: unknown = null): Location => {
  const { pathname, search, hash } = new URL(to, `http://here${from}`)
  return { pathname, search, hash, state }
}

export const pathOf = ({ pathname, search, hash }: Location): string => pathname + search + hash

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

/** What stands in the places of a pattern such as '/channels/:id', '/invite/:token?' or '*'; null where it does not fit. */
export const matchPath = (pattern: string, pathname: string): Params | null => {
  if (pattern === '*') return {}
  const wanted = partsOf(pattern)
  const given = partsOf(pathname).map(decoded)
  if (given.length > wanted.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index]
    const [, name, optional] = /^:(\w+)(\??)$/.exec(part) ?? []
    if (name === undefined) {
      if (value?.toLowerCase() !== part.toLowerCase()) return null
    } else if (value !== undefined) params[name] = value
    else if (optional !== '?') return null
  }
  return params
}

const browserLocation = (): Location => {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash, state: history.state as unknown }
}

interface AroundProps {
  children: ReactNode
}

/** The screens follow the address bar. A screen stays until the next one has been fetched. */
export const BrowserRouter = ({ children }: AroundProps) => {
  const [location, setLocation] = useState(browserLocation)
  useEffect(() => {
    const follow = (): void => startTransition(() => setLocation(browserLocation()))
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = useCallback<Router['go']>((to, isBeside) => {
    if (isBeside) history.replaceState(to.state, '', pathOf(to))
    else history.pushState(to.state, '', pathOf(to))
    startTransition(() => setLocation(to))
  }, [])
  return <RouterContext value={useMemo(() => ({ location, go }), [location, go])}>{children}</RouterContext>
}

/** Screens whose address nobody sees: in a frame, and in tests. */
export const MemoryRouter = ({ at = '/', children }: AroundProps & { at?: string }) => {
  const [location, setLocation] = useState(() => resolve(at, '/'))
  const go = useCallback<Router['go']>((to) => startTransition(() => setLocation(to)), [])
  return <RouterContext value={useMemo(() => ({ location, go }), [location, go])}>{children}</RouterContext>
}

export const useLocation = (): Location => useRouter().location

export const useParams = (): Params => use(ParamsContext)

/** The way to another screen, to be gone in an effect or an event. '?query' stays on the screen it was asked on. */
export const useNavigate = (): ((to: string, options?: Going) => void) => {
  const { location, go } = useRouter()
  const { pathname } = location
  return useCallback(
    (to, { replace = false, state } = {}) => go(resolve(to, pathname, state), replace),
    [go, pathname],
  )
}

/** An address as the browser shows it. */
export const useHref = (to: string): string => pathOf(resolve(to, useLocation().pathname))

type Query = URLSearchParams | Record<string, string>

export const useSearchParams = (): [URLSearchParams, (query: Query, options?: Going) => void] => {
  const { search } = useLocation()
  const navigate = useNavigate()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const setParams = useCallback(
    (query: Query, options?: Going) => navigate(`?${new URLSearchParams(query)}`, options),
    [navigate],
  )
  return [params, setParams]
}

/** Leads on to another screen as soon as it is shown. */
export const Navigate = ({ to, replace }: { to: string; replace?: boolean }) => {
  const navigate = useNavigate()
  useEffect(() => navigate(to, { replace }), [navigate, to, replace])
  return null
}

interface Route {
  path: string
  element: ReactNode
}

/** The first of the routes that fits the address. */
export const useRoutes = (routes: readonly Route[]): ReactNode => {
  const { pathname } = useLocation()
  for (const { path, element } of routes) {
    const params = matchPath(path, pathname)
    if (params !== null) return <ParamsContext value={params}>{element}</ParamsContext>
  }
  return null
}
