import { SessionProvider } from '#features/auth/SessionProvider.tsx'
import { createSession } from '#features/auth/session.ts'
import { BrowserRouter } from '#lib/router.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { CrashBoundary } from './crash-page.tsx'
import { Screens } from './router.tsx'

const session = createSession()

/** The providers of all pages. Those that only signed-in pages need are in their shell. */
export function App() {
  return (
    <>
      <CrashBoundary>
        <BrowserRouter>
          <SessionProvider session={session}>
            <Screens />
          </SessionProvider>
        </BrowserRouter>
      </CrashBoundary>
      <Toaster />
    </>
  )
}
