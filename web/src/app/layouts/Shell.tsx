import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { queryClient } from '#api/query-client.ts'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { whenInUse } from '#lib/when-in-use.ts'
import { preloadConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { preloadDialog } from '#ui/Dialog.tsx'

const preloadWithinMs = 3000

function preloadDialogs(): void {
  preloadDialog()
  preloadConfirmDialog()
}

interface Props {
  header: ReactNode
  children: ReactNode
}

/** The frame of all signed-in pages. It is a separate chunk, because the sign-in pages do not need it. */
export function Shell({ header, children }: Props) {
  const user = useUser()
  const userId = user?._id
  // Data loaded for one user must never be shown to the next one in this browser.
  useEffect(() => {
    if (userId !== undefined) return () => queryClient.clear()
    return
  }, [userId])
  useEffect(() => whenInUse(preloadDialogs, preloadWithinMs), [])

  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <a
          href="#main"
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-primary-500 px-4 py-2 font-medium text-sm text-white focus-visible:translate-y-0"
        >
          Skip to content
        </a>
        <div data-shell className="flex min-h-dvh flex-col bg-surface">
          {header}
          <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
            {children}
          </main>
        </div>
      </QueryClientProvider>
    </CSPProvider>
  )
}
