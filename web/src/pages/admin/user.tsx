import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert, UserX } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { userQuery } from '#features/users/queries.ts'
import { UserActionButton } from '#features/users/UserActionButton.tsx'
import type { UserAction } from '#features/users/UserActions.tsx'
import { UserRole } from '#features/users/UserTable.tsx'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { texts } from '#texts/admin.ts'
import { product } from '#theme/product.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { BackToList } from '#ui/BackToList.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { DeactivatedBanner } from './deactivated-banner.tsx'
import { UserCards } from './user-cards.tsx'
import type { OpenUserDialog } from './user-dialogs.tsx'

const UserDialogs = lazyComponent(async () => (await import('./user-dialogs.tsx')).UserDialogs)

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
        <BackToList path="/admin/users" />
        {children}
      </div>
    </div>
  )
}

function LoadState({ error, retry }: { error: Error | null; retry: () => void }) {
  if (error === null)
    return (
      <div role="status" className="flex flex-col gap-5">
        <span className="sr-only">Loading the user…</span>
        <Skeleton className="h-14 w-72 max-w-full" />
        <Skeleton className="h-48" />
      </div>
    )
  return (
    <Card flush>
      {isNotFound(error) ? (
        <EmptyState icon={UserX} hint="The user may have been deleted, or the link is incomplete.">
          User not found.
        </EmptyState>
      ) : (
        <EmptyState
          icon={TriangleAlert}
          hint={messageOf(error, '')}
          action={<Button onClick={retry}>Try again</Button>}
        >
          {texts.users.loadOneFailed}
        </EmptyState>
      )}
    </Card>
  )
}

function LoadedUser({ user }: { user: UserDetail }) {
  const viewer = useUser()
  const [, navigate] = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const isPhone = useMediaQuery(phoneQuery)
  const [dialog, setDialog] = useState<OpenUserDialog | null>(null)
  function open(type: UserAction): void {
    setDialog({ type, user })
  }
  function close(): void {
    setDialog(null)
  }
  useEffect(() => {
    document.title = `${user.name} · ${product.name}`
  }, [user.name])
  if (viewer === null) return null
  const actions = { user, viewer, onAction: open }
  const deleteButton = <UserActionButton {...actions} action="delete" label="Delete user" />
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 items-center gap-4">
          <Avatar name={user.name} className="max-sm:hidden" />
          <div className="min-w-0">
            <h1 ref={heading} tabIndex={-1} className="wrap-anywhere rounded-sm font-semibold text-2xl">
              <bdi>{user.name}</bdi>
            </h1>
            <div className="mt-1">
              <UserRole user={user} />
            </div>
          </div>
        </div>
        {!isPhone && deleteButton}
      </header>
      {user.deactivatedAt !== undefined && (
        <DeactivatedBanner user={user} at={user.deactivatedAt}>
          <UserActionButton {...actions} action="activation" />
        </DeactivatedBanner>
      )}
      <UserCards {...actions} />
      {isPhone && <div className="grid empty:hidden">{deleteButton}</div>}
      {dialog !== null && (
        <UserDialogs
          open
          onLoadError={() => {
            banner.error(texts.users.loadComponentFailed)
            close()
          }}
          props={{
            dialog,
            open: setDialog,
            close,
            heading,
            onDeleted: () => navigate('/admin/users', { replace: true }),
          }}
        />
      )}
    </>
  )
}

function LoadUser({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(userQuery(id))
  // The cards are rendered in short steps, because together they would block a slow phone for a third of a second.
  const isShown = useDeferredValue(data !== undefined, false)
  if (data === undefined || !isShown) return <LoadState error={error} retry={() => void refetch()} />
  return <LoadedUser user={data} />
}

/** Everything about one user. */
export function UserPage() {
  const { id = '' } = useParams()
  return (
    <Frame>
      <LoadUser key={id} id={id} />
    </Frame>
  )
}
