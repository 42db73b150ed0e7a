import { Compass } from 'lucide-react'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { Logo } from '#ui/Logo.tsx'

function NotFound() {
  return (
    <>
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={Compass}
        hint="The address may be wrong, or the page may have been removed."
        action={
          <Link to="/" className={buttonStyle('primary')}>
            Go to the home page
          </Link>
        }
      >
        This page could not be found.
      </EmptyState>
    </>
  )
}

export function NotFoundPage() {
  const user = useUser()
  if (user !== null)
    return (
      <div className="flex flex-1 flex-col items-center justify-center px-4">
        <NotFound />
      </div>
    )
  return (
    <main
      id="main"
      tabIndex={-1}
      className="flex min-h-dvh flex-col items-center justify-center bg-surface px-4"
    >
      <Logo />
      <NotFound />
    </main>
  )
}
