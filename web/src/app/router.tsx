import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { KnownPaths } from '#lib/known-paths.ts'
import { product } from '#theme/product.ts'
import { Loading } from '#ui/Spinner.tsx'
import { Guarded } from './guards.tsx'
import { type RouteEntry, routes } from './routes.ts'

/** A component that is fetched once, when it is first asked for. */
function lazily<Props extends object>(fetch: () => Promise<ComponentType<Props>>) {
  let fetched: Promise<{ default: ComponentType<Props> }> | undefined
  function load(): Promise<{ default: ComponentType<Props> }> {
    fetched ??= fetch().then((component) => ({ default: component }))
    return fetched
  }
  return { load, Component: lazy(load) }
}

const layouts = {
  plain: null,
  user: lazily(async () => (await import('./layouts/UserLayout.tsx')).UserLayout),
  admin: lazily(async () => (await import('./layouts/AdminLayout.tsx')).AdminLayout),
}

interface Screen {
  entry: RouteEntry
  load: () => Promise<unknown>
  Page: ComponentType
}

/** Title, scroll position and focus follow the screen, as they would with a page from the server. */
function useArrival(title: string): void {
  const [pathname] = useLocation()
  const previous = useRef(pathname)
  useEffect(() => {
    document.title = `${title} · ${product.name}`
  }, [title])
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    scrollTo(0, 0)
    // A screen that is one form has put it into its first field.
    if (document.activeElement?.matches('#main form input')) return
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}

function RouteScreen({ entry, load, Page }: Screen) {
  useArrival(entry.title)
  const layout = layouts[entry.layout]
  // Layout and page are fetched side by side, not one after the other.
  load().catch(() => undefined)
  const page = (
    <Suspense fallback={<Loading />}>
      <Page />
    </Suspense>
  )
  return (
    <Guarded guard={entry.guard}>
      <Suspense fallback={<Loading fullPage />}>
        {layout === null ? page : <layout.Component>{page}</layout.Component>}
      </Suspense>
    </Guarded>
  )
}

// One key for all: a screen takes the place of the one before, which stays until it has been fetched.
const screens = routes.map((entry) => {
  const { load, Component } = lazily(entry.page)
  return (
    <Route key="screen" path={entry.path}>
      <RouteScreen entry={entry} load={load} Page={Component} />
    </Route>
  )
})

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
