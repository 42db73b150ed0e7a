import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { queryClient } from '#api/query-client.ts'
import { SessionProvider } from '#features/auth/SessionProvider.tsx'
import { createSession } from '#features/auth/session.ts'
import { EmbeddedChatPage } from '#pages/embedded-chat.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { CrashBoundary } from './crash-page.tsx'

const session = createSession()
session.restore()
const { hook } = memoryLocation()

/** The application inside the iframe of /chatbot: the same session and chats, without the other pages. */
export function EmbeddedApp() {
  return (
    <>
      <CrashBoundary>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={queryClient}>
            {/* Keeps the location in memory, so that the URL of the frame never changes. */}
            <Router hook={hook}>
              <SessionProvider session={session}>
                <EmbeddedChatPage />
              </SessionProvider>
            </Router>
          </QueryClientProvider>
        </CSPProvider>
      </CrashBoundary>
      {/* The parent page has a toaster too, so this one needs another label. */}
      <Toaster label="Chat notifications" />
    </>
  )
}
