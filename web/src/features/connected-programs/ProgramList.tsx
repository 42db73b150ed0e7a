import type { ConnectedProgram } from '@lyceum/contract/connected-programs'
import { useQuery } from '@tanstack/react-query'
import { Plug, TriangleAlert } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatScopes } from '#lib/api-key-labels.ts'
import { formatDate, formatDateTime } from '#lib/date-time.ts'
import { useLostFocus } from '#lib/use-lost-focus.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { detailedRow, RowDetails } from '#ui/RowDetails.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useDisconnectProgram } from './mutations.ts'
import { connectedProgramsQuery, type ProgramOwner } from './queries.ts'

function describeChannels({ channels }: ConnectedProgram): string {
  if (channels === null) return 'All channels'
  if (channels.length === 0) return 'No channels: all of them have been deleted'
  return `${channels.length === 1 ? 'Channel' : 'Channels'}: ${channels.map(({ name }) => name).join(', ')}`
}

interface RowProps {
  program: ConnectedProgram
  onLostFocus: () => void
  action: ReactNode
}

function Row({ program, onLostFocus, action }: RowProps) {
  const row = useRef<HTMLLIElement>(null)
  useLostFocus(row, onLostFocus)
  const { name, destination, scopes, connectedAt, lastUsedAt, expiresAt } = program
  return (
    <li ref={row} className="flex items-start gap-3 px-4 py-3 sm:gap-4">
      <Plug
        aria-hidden="true"
        className="mt-0.5 size-5 shrink-0 text-muted max-sm:hidden"
        strokeWidth={1.75}
      />
      <div className={detailedRow.row}>
        <div className={detailedRow.main}>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="wrap-anywhere font-medium text-sm">{name}</bdi>
            <span className="wrap-anywhere text-muted text-xs">{destination}</span>
          </p>
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs leading-5">
            <span>Expires {formatDate(expiresAt)}</span>
            <span>{lastUsedAt === null ? 'Never used' : `Last used ${formatDateTime(lastUsedAt)}`}</span>
          </p>
        </div>
        <RowDetails of={name}>
          <p>{formatScopes(scopes)}</p>
          <p dir="auto">{describeChannels(program)}</p>
          <p className="text-muted">Connected {formatDate(connectedAt)}</p>
        </RowDetails>
        <div className={detailedRow.action}>{action}</div>
      </div>
    </li>
  )
}

interface Props {
  owner: ProgramOwner
  /** The reason why the viewer cannot disconnect these programs. */
  disconnectRefusal: string | null
  /** Receives the focus when the focused row disappears. */
  heading: RefObject<HTMLHeadingElement | null>
}

/** The programs that a user has connected, newest first, each with a button that disconnects it. */
export function ProgramList({ owner, disconnectRefusal, heading }: Props) {
  const { data, error, refetch } = useQuery({ ...connectedProgramsQuery(owner), meta: { quiet: true } })
  const disconnect = useDisconnectProgram(owner)
  const trigger = useRef<HTMLButtonElement>(null)
  /** The row of the button is removed while the dialog closes, so whether it still exists says nothing. */
  const hasDisconnected = useRef(false)
  const [chosen, setChosen] = useState<ConnectedProgram | null>(null)
  function close(): void {
    setChosen(null)
  }
  function confirm(id: string): void {
    disconnect.mutate(id, {
      onSuccess: () => {
        hasDisconnected.current = true
      },
      onSettled: close,
    })
  }
  if (data === undefined) {
    if (error === null)
      return (
        <div role="status">
          <span className="sr-only">Loading connected programs…</span>
          <Skeleton className="h-24" />
        </div>
      )
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {texts.connectedPrograms.loadFailed}
      </EmptyState>
    )
  }
  if (data.length === 0) return <p className="text-muted text-sm">No connected programs.</p>
  return (
    <>
      <ul
        aria-label="Connected programs"
        className="divide-y divide-hairline rounded-card border border-hairline"
      >
        {data.map((program) => (
          <Row
            key={program._id}
            program={program}
            onLostFocus={() => heading.current?.focus()}
            action={
              <Button
                size="small"
                title={disconnectRefusal ?? undefined}
                aria-label={`Disconnect ${program.name}`}
                aria-description={disconnectRefusal ?? undefined}
                aria-disabled={disconnectRefusal !== null}
                onClick={(event) => {
                  if (disconnectRefusal !== null) return banner.error(disconnectRefusal)
                  hasDisconnected.current = false
                  trigger.current = event.currentTarget
                  setChosen(program)
                }}
              >
                Disconnect
              </Button>
            }
          />
        ))}
      </ul>
      {chosen !== null && (
        <ConfirmDialog
          open
          title="Disconnect this program?"
          confirmLabel="Disconnect"
          busy={disconnect.isPending}
          onConfirm={() => confirm(chosen._id)}
          onCancel={close}
          finalFocus={() => (hasDisconnected.current ? heading.current : trigger.current)}
        >
          <QuestionSubject name={chosen.name} />
          <p className="mt-2">
            It loses access at once. {owner === null ? 'You' : 'The user'} can reconnect it at any time.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
