import { CSPProvider } from '@base-ui/react/csp-provider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type RenderResult, render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Route } from 'wouter'
import { createQueryClient } from '#api/query-client.ts'
import { SessionProvider } from '#features/auth/SessionProvider.tsx'
import { createSession, type Session } from '#features/auth/session.ts'
import { KnownPaths } from '#lib/known-paths.ts'
import { BrowserRouter } from '#lib/router.tsx'
import { Toaster } from '#ui/Toaster.tsx'

interface Options {
  /** The initial URL. */
  at?: string
  /** The route pattern of the page. The default is the path of `at`. */
  path?: string
  /** The paths that exist. Some links are rendered only if their path exists. */
  knownPaths?: readonly string[]
}

export interface RenderedPage extends RenderResult {
  user: UserEvent
  session: Session
  queryClient: QueryClient
  /** The current path and query. */
  address: () => string
}

/** Renders a page with the providers of the application. Nothing is shown at other paths. */
export function renderPage(page: ReactNode, options: Options = {}): RenderedPage {
  const { at = '/', path = at.split('?')[0] ?? at, knownPaths = [] } = options
  const session = createSession()
  const queryClient = createQueryClient(false)
  history.replaceState(null, '', at)
  const rendered = render(
    <BrowserRouter>
      <SessionProvider session={session}>
        <KnownPaths value={new Set(knownPaths)}>
          <CSPProvider disableStyleElements>
            <QueryClientProvider client={queryClient}>
              <Route path={path}>{page}</Route>
            </QueryClientProvider>
          </CSPProvider>
        </KnownPaths>
      </SessionProvider>
      <Toaster />
    </BrowserRouter>,
  )
  return {
    ...rendered,
    user: userEvent.setup(),
    session,
    queryClient,
    address: () => location.pathname + location.search,
  }
}
