import type { ApiKey } from '@lyceum/contract/api-keys'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, TriangleAlert } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatScopes } from '#lib/api-key-labels.ts'
import { formatDate, formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { useLostFocus } from '#lib/use-lost-focus.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { detailedRow, RowDetails } from '#ui/RowDetails.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { useRevokeApiKey } from './mutations.ts'
import { apiKeysQuery, type KeyOwner } from './queries.ts'

function Channels({ channels }: Pick<ApiKey, 'channels'>) {
  if (channels === null) return 'All channels'
  if (channels.length === 0) return 'No channels: all of them have been deleted'
  return (
    <>
      {channels.length === 1 ? 'Channel: ' : 'Channels: '}
      {channels.map(({ _id, name }, at) => (
        <span key={_id}>
          {at > 0 && ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </>
  )
}

interface EventProps {
  label: string
  at: string
  format: (timestamp: string) => string
}

/** When something happened or will happen. The title has the full form. */
function Event({ label, at, format }: EventProps) {
  return (
    <span>
      {label}{' '}
      <time dateTime={at} title={formatDateTime(at)} className="tabular-nums">
        {format(at)}
      </time>
    </span>
  )
}

const day = 86_400_000

/** For example 'in 84 days'. */
function formatRemaining(expiresAt: string): string {
  const days = Math.ceil((Date.parse(expiresAt) - Date.now()) / day)
  return days <= 1 ? 'within a day' : `in ${formatCount(days, 'day')}`
}

function Expiry({ expiresAt }: Pick<ApiKey, 'expiresAt'>) {
  return (
    <span>
      <Event label="Expires" at={expiresAt} format={formatDate} /> ({formatRemaining(expiresAt)})
    </span>
  )
}

/** A key that an administrator revoked. Its user learns from it why a program is refused. */
function RevokedRow({ apiKey: { name, prefix, revoked } }: { apiKey: ApiKey }) {
  return (
    <li className="flex items-start gap-3 px-4 py-3 sm:gap-4">
      <KeyRound
        aria-hidden="true"
        className="mt-0.5 size-5 shrink-0 text-muted max-sm:hidden"
        strokeWidth={1.75}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="wrap-anywhere font-medium text-muted text-sm">{name}</bdi>
          <code className="text-muted text-xs">{prefix}…</code>
        </p>
        {revoked !== undefined && (
          <p className="wrap-anywhere mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs leading-5">
            <Status tone="danger">Revoked</Status>
            <span>
              By <bdi>{revoked.byName ?? 'a deleted user'}</bdi>, an administrator,{' '}
              <time dateTime={revoked.at} className="tabular-nums">
                {formatDateTime(revoked.at)}
              </time>
              . Programs with this key have no access.
            </span>
          </p>
        )}
      </div>
    </li>
  )
}

interface RowProps {
  apiKey: ApiKey
  onLostFocus: () => void
  action: ReactNode
}

function Row({ apiKey, onLostFocus, action }: RowProps) {
  const row = useRef<HTMLLIElement>(null)
  useLostFocus(row, onLostFocus)
  const { name, prefix, scopes, channels, createdAt, createdByName, lastUsedAt, expiresAt } = apiKey
  return (
    <li ref={row} className="flex items-start gap-3 px-4 py-3 sm:gap-4">
      <KeyRound
        aria-hidden="true"
        className="mt-0.5 size-5 shrink-0 text-muted max-sm:hidden"
        strokeWidth={1.75}
      />
      <div className={detailedRow.row}>
        <div className={detailedRow.main}>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="wrap-anywhere font-medium text-sm">{name}</bdi>
            <code className="text-muted text-xs">{prefix}…</code>
          </p>
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs leading-5">
            <Expiry expiresAt={expiresAt} />
            {lastUsedAt === null ? (
              <span>Never used</span>
            ) : (
              <Event label="Last used" at={lastUsedAt} format={formatDateTime} />
            )}
          </p>
        </div>
        <RowDetails of={name}>
          <p>{formatScopes(scopes)}</p>
          <p>
            <Channels channels={channels} />
          </p>
          <p className="flex flex-wrap gap-x-3 text-muted">
            <Event label="Created" at={createdAt} format={formatDate} />
            {createdByName !== null && (
              <span>
                Created by <bdi>{createdByName}</bdi>
              </span>
            )}
          </p>
        </RowDetails>
        <div className={detailedRow.action}>{action}</div>
      </div>
    </li>
  )
}

function ListSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading API keys…</span>
      <Skeleton className="h-24" />
    </div>
  )
}

interface Props {
  owner: KeyOwner
  /** The reason why the viewer cannot revoke these keys. */
  revokeRefusal: string | null
  /** Receives the focus when the focused row disappears. */
  heading: RefObject<HTMLHeadingElement | null>
}

/** The API keys of a user, newest first, each with a button that revokes it. */
export function ApiKeyList({ owner, revokeRefusal, heading }: Props) {
  const { data, error, refetch } = useQuery({ ...apiKeysQuery(owner), meta: { quiet: true } })
  const revoke = useRevokeApiKey(owner)
  const trigger = useRef<HTMLButtonElement>(null)
  const [chosen, setChosen] = useState<ApiKey | null>(null)
  function close(): void {
    setChosen(null)
  }
  if (data === undefined) {
    if (error === null) return <ListSkeleton />
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {texts.apiKeys.loadFailed}
      </EmptyState>
    )
  }
  return (
    <>
      {data.length === 0 ? (
        <p className="text-muted text-sm">No API keys yet.</p>
      ) : (
        <ul aria-label="API keys" className="divide-y divide-hairline rounded-card border border-hairline">
          {data.map((apiKey) =>
            apiKey.revoked !== undefined ? (
              <RevokedRow key={apiKey._id} apiKey={apiKey} />
            ) : (
              <Row
                key={apiKey._id}
                apiKey={apiKey}
                onLostFocus={() => heading.current?.focus()}
                action={
                  <Button
                    size="small"
                    title={revokeRefusal ?? undefined}
                    aria-label={`Revoke ${apiKey.name}`}
                    aria-description={revokeRefusal ?? undefined}
                    aria-disabled={revokeRefusal !== null}
                    onClick={(event) => {
                      if (revokeRefusal !== null) return banner.error(revokeRefusal)
                      trigger.current = event.currentTarget
                      setChosen(apiKey)
                    }}
                  >
                    Revoke
                  </Button>
                }
              />
            ),
          )}
        </ul>
      )}
      {chosen !== null && (
        <ConfirmDialog
          open
          title="Revoke this API key?"
          confirmLabel="Revoke"
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(chosen._id, { onSettled: close })}
          onCancel={close}
          finalFocus={() => (trigger.current?.isConnected ? trigger.current : heading.current)}
        >
          <QuestionSubject name={chosen.name} />
          <p className="mt-1">
            <code>{chosen.prefix}…</code>
          </p>
          <p className="mt-2">Programs with this key lose access at once. This can’t be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
