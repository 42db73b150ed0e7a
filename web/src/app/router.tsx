import { type ComponentType, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { parse } from 'regexparam'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { canOpenAdminArea } from '#features/auth/session.ts'
import type { SignedInUser } from '#features/auth/stored-session.ts'
import { KnownPaths } from '#lib/known-paths.ts'
import { product } from '#theme/product.ts'
import { Loading } from '#ui/Spinner.tsx'
import { PageBoundary } from './crash-page.tsx'
import { focusLeftLink } from './focus-left-link.ts'
import { Guarded } from './guards.tsx'
import { type RouteEntry, routes } from './routes.ts'

/** Creates a component whose code is loaded once. Code that is already loaded is rendered without a loading state. */
function createLazyRoute<Props extends object>(fetch: () => Promise<ComponentType<Props>>) {
  let fetched: Promise<{ default: ComponentType<Props> }> | undefined
  let Loaded: ComponentType<Props> | null = null
  function load(): Promise<{ default: ComponentType<Props> }> {
    fetched ??= fetch().then((component) => {
      Loaded = component
      return { default: component }
    })
    return fetched
  }
  const Lazy = lazy(load)
  function Component(props: Props) {
    // Kept, because replacing the component would remount the page.
    const [Shown] = useState<ComponentType<Props>>(() => Loaded ?? Lazy)
    return <Shown {...props} />
  }
  return { load, Component }
}

const layouts = {
  plain: null,
  user: createLazyRoute(async () => (await import('./layouts/UserLayout.tsx')).UserLayout),
  admin: createLazyRoute(async () => (await import('./layouts/AdminLayout.tsx')).AdminLayout),
}

function chooseLayout(
  layout: RouteEntry['layout'],
  pathname: string,
  user: SignedInUser | null,
): keyof typeof layouts {
  if (layout !== 'if-signed-in') return layout
  if (user === null) return 'plain'
  return pathname.startsWith('/admin') && canOpenAdminArea(user) ? 'admin' : 'user'
}

interface Screen {
  entry: RouteEntry
  load: () => Promise<unknown>
  Page: ComponentType
}

/** Whether the current page was reached with Back or Forward. */
function useIsReturn(): RefObject<boolean> {
  const isReturn = useRef(false)
  useEffect(() => {
    function note({ type }: Event): void {
      isReturn.current = type === 'popstate'
    }
    addEventListener('popstate', note)
    addEventListener('pushState', note)
    return () => {
      removeEventListener('popstate', note)
      removeEventListener('pushState', note)
    }
  }, [])
  return isReturn
}

/** Sets title, scroll position and focus on navigation, as a full page load would. */
function useNavigationEffects(title: string): void {
  const [pathname] = useLocation()
  const previous = useRef(pathname)
  const isReturn = useIsReturn()
  useEffect(() => {
    document.title = `${title} · ${product.name}`
  }, [title])
  useEffect(() => {
    const left = previous.current
    if (left === pathname) return
    previous.current = pathname
    scrollTo(0, 0)
    // Pages that consist of one form focus its first field themselves.
    if (document.activeElement?.matches('#main form input')) return
    const main = document.getElementById('main')
    main?.focus({ preventScroll: true })
    return main !== null && isReturn.current ? focusLeftLink(main, left) : undefined
  }, [pathname, isReturn])
}

/** Hides the bar of the layout at once if the page has its own, so that nothing moves when the page appears. */
function PageLoading({ hasOwnBar }: Pick<RouteEntry, 'hasOwnBar'>) {
  return (
    <div data-own-bar={hasOwnBar}>
      <Loading />
    </div>
  )
}

function RouteScreen({ entry, load, Page }: Screen) {
  useNavigationEffects(entry.title)
  const user = useUser()
  const [pathname] = useLocation()
  const layout = layouts[chooseLayout(entry.layout, pathname, user)]
  // Layout and page are loaded in parallel.
  load().catch(() => undefined)
  const page = (
    <PageBoundary path={entry.path}>
      <Suspense fallback={<PageLoading hasOwnBar={entry.hasOwnBar} />}>
        <Page />
      </Suspense>
    </PageBoundary>
  )
  return (
    <Guarded guard={entry.guard}>
      <Suspense fallback={<Loading fullPage />}>
        {layout === null ? page : <layout.Component>{page}</layout.Component>}
      </Suspense>
    </Guarded>
  )
}

const pages = routes.map((entry) => ({ entry, ...createLazyRoute(entry.page) }))

/**
 * Loads the code of the page at a path, so that it is shown at once. Otherwise, React would first show a loading state
 * and then keep it for 300 ms.
 */
export async function loadPageAt(path: string): Promise<void> {
  const page = pages.find(({ entry }) => parse(entry.path).pattern.test(path))
  if (page === undefined) return
  const { layout } = page.entry
  const parts = [layout === 'if-signed-in' ? null : layouts[layout], page]
  // The document of the page names all files (web/build/page-files.ts). If one cannot be loaded, the page itself says so.
  for (const part of parts) await part?.load().catch(() => undefined)
}

// All routes share a key, so that the previous page stays visible until the next one is loaded.
const screens = pages.map(({ entry, load, Component }) => (
  <Route key="screen" path={entry.path}>
    <RouteScreen entry={entry} load={load} Page={Component} />
  </Route>
))

const knownPaths: ReadonlySet<string> = new Set(routes.map(({ path }) => path))

export function Screens() {
  return (
    <KnownPaths value={knownPaths}>
      <Switch>
        <Route path="/">
          <Redirect to="/dashboard" replace />
        </Route>
        {screens}
      </Switch>
    </KnownPaths>
  )
}
