import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { RecoveryBoundary } from '#ui/RecoveryBoundary.tsx'

function CrashNotice() {
  return (
    <div className="my-auto flex flex-col items-center gap-4 px-6 py-14 text-center">
      <TriangleAlert aria-hidden="true" className="size-10 text-warning" strokeWidth={1.5} />
      <h1 className="font-semibold text-2xl">Unexpected Application Error!</h1>
      <p className="max-w-md text-muted">
        Something went wrong while showing this page. Messages you already sent are saved.
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Button variant="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
        {/* Other pages cannot be shown in a frame. */}
        {window.self === window.top && (
          <Button onClick={() => location.assign('/')}>Go to the home page</Button>
        )}
      </div>
    </div>
  )
}

/** Recovers one page from errors, and from failures to load its code, inside the frame of all pages. */
export function PageBoundary({ path, children }: { path: string; children: ReactNode }) {
  return (
    <RecoveryBoundary resetKey={path} fallback={() => <CrashNotice />}>
      {children}
    </RecoveryBoundary>
  )
}

/** Recovers the whole application. */
export function CrashBoundary({ children }: { children: ReactNode }) {
  return (
    <RecoveryBoundary
      fallback={() => (
        <main className="flex min-h-dvh flex-col bg-surface">
          <CrashNotice />
        </main>
      )}
    >
      {children}
    </RecoveryBoundary>
  )
}
