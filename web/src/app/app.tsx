import { SessionProvider } from '#features/auth/SessionProvider.tsx'
import { createSession } from '#features/auth/session.ts'
import { BrowserRouter } from '#lib/router.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { CrashBoundary } from './crash-page.tsx'
import { Screens } from './router.tsx'

const session = createSession()
session.restore()

/** The application with the providers of all pages. `Shell` adds those that only signed-in pages need. */
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
