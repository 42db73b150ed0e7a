import type { Identity, SignInMethods as Methods } from '@lyceum/contract/single-sign-on'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useDisconnectUser } from './mutations.ts'
import { signInMethodsQuery } from './queries.ts'

function describePassword({ hasPassword, isBreakGlass }: Methods): string {
  if (isBreakGlass) return 'Password, also when signing in with a password is switched off'
  return hasPassword ? 'Password' : 'No password'
}

interface RowProps {
  identity: Identity
  refusal: string | null
  onDisconnect: (button: HTMLButtonElement) => void
}

function IdentityRow({ identity, refusal, onDisconnect }: RowProps) {
  const { issuerName, subject, lastUsedAt } = identity
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere text-sm">
          Single sign-on with <bdi>{issuerName}</bdi>
        </p>
        <p className="wrap-anywhere text-muted text-xs leading-5">
          Subject <code>{subject}</code>
        </p>
        <p className="text-muted text-xs leading-5">
          {lastUsedAt === null ? 'Never used' : `Last used ${formatDateTime(lastUsedAt)}`}
        </p>
      </div>
      <Button
        size="small"
        aria-label={`Disconnect from ${issuerName}`}
        title={refusal ?? undefined}
        aria-disabled={refusal !== null}
        onClick={({ currentTarget }) => {
          if (refusal === null) onDisconnect(currentTarget)
          else banner.error(refusal)
        }}
      >
        Disconnect
      </Button>
    </li>
  )
}

interface Props {
  userId: string
  /** The reason why the viewer cannot disconnect the user. */
  refusal: string | null
  heading: RefObject<HTMLHeadingElement | null>
}

/** How a user signs in. */
export function SignInMethods({ userId, refusal, heading }: Props) {
  const { data, error, refetch } = useQuery({ ...signInMethodsQuery(userId), meta: { quiet: true } })
  const disconnect = useDisconnectUser(userId)
  const [chosen, setChosen] = useState<Identity | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  function close(): void {
    setChosen(null)
  }
  if (data === undefined && error === null) return <Skeleton className="h-5 w-32" />
  if (data === undefined)
    return (
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-danger">{messageOf(error, texts.singleSignOn.loadMethodsFailed)}</p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  return (
    <>
      <ul aria-label="Ways to sign in" className="flex flex-col gap-2">
        <li className="text-sm">{describePassword(data)}</li>
        {data.identities.map((identity) => (
          <IdentityRow
            key={identity._id}
            identity={identity}
            refusal={refusal}
            onDisconnect={(button) => {
              trigger.current = button
              setChosen(identity)
            }}
          />
        ))}
      </ul>
      {chosen !== null && (
        <ConfirmDialog
          open
          title="Disconnect this user?"
          confirmLabel="Disconnect"
          busy={disconnect.isPending}
          onConfirm={() => disconnect.mutate(chosen._id, { onSettled: close })}
          onCancel={close}
          finalFocus={() => (trigger.current?.isConnected ? trigger.current : heading.current)}
        >
          The sessions that began with <bdi>{chosen.issuerName}</bdi> end. If the user signs in that way
          again, their confirmed email address connects them again, unless they are an administrator.
        </ConfirmDialog>
      )}
    </>
  )
}
