import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { queryClient } from '#api/query-client.ts'
import { createEmbeddedSession, noPermissions } from '#features/auth/embedded-sign-in.ts'
import { SessionStateProvider } from '#features/auth/SessionProvider.tsx'
import { findSite } from '#features/embedding/host-page.ts'
import { EmbedPage } from '#pages/embed.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { CrashBoundary } from './crash-page.tsx'

const session = createEmbeddedSession()
const { hook } = memoryLocation()
const query = new URLSearchParams(location.search)
const channelId = decodeURIComponent(location.pathname.split('/')[2] ?? '')

/** The chat of one channel in a frame on another site, with a sign-in of its own and without the other pages. */
export function EmbedApp() {
  return (
    <>
      <CrashBoundary>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={queryClient}>
            {/* Keeps the location in memory, so that the URL of the frame never changes. */}
            <Router hook={hook}>
              <SessionStateProvider store={noPermissions}>
                <EmbedPage
                  channelId={channelId}
                  site={findSite(query)}
                  isPanel={query.has('panel')}
                  session={session}
                />
              </SessionStateProvider>
            </Router>
          </QueryClientProvider>
        </CSPProvider>
      </CrashBoundary>
      <Toaster />
    </>
  )
}
