import { type AuditReceiver, receiverMaximum } from '@lyceum/contract/audit-stream'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { HttpDialog } from './HttpDialog.tsx'
import { useRemoveReceiver } from './mutations.ts'
import { auditStreamQuery } from './queries.ts'
import { SyslogDialog } from './SyslogDialog.tsx'

/** Without the path and the query of an address, which may contain a secret. */
function describeAddress(receiver: AuditReceiver): string {
  switch (receiver.kind) {
    case 'syslog':
      return `Syslog: ${receiver.host}:${receiver.port}`
    case 'http':
      return new URL(receiver.url).origin
    case 'unreadable':
      return 'Its values cannot be decrypted with the keys of this installation. Remove it and add it again.'
  }
}

/** The server stops counting at 10,001. */
function describeBehind(behind: number): string {
  if (behind === 0) return 'Up to date'
  return behind > 10_000
    ? 'More than 10,000 entries waiting'
    : `${formatCount(behind, 'entry', 'entries')} waiting`
}

function ReceiverStatus({ kind, sentAt, failure }: AuditReceiver) {
  if (kind === 'unreadable') return <Status tone="danger">Cannot be read</Status>
  if (failure !== null) return <Status tone="danger">Failing</Status>
  return sentAt === null ? <Status tone="neutral">New</Status> : <Status tone="success">OK</Status>
}

function ReceiverRow({ receiver, actions }: { receiver: AuditReceiver; actions: ReactNode }) {
  const { name, behind, sentAt, failure } = receiver
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2">
          <bdi className="wrap-anywhere font-medium text-sm">{name}</bdi>
          <ReceiverStatus {...receiver} />
        </p>
        <p className="wrap-anywhere text-muted text-xs leading-5">{describeAddress(receiver)}</p>
        <p className="flex flex-wrap gap-x-3 text-muted text-xs leading-5">
          <span>{describeBehind(behind)}</span>
          <span>
            {sentAt === null ? (
              'Nothing sent yet'
            ) : (
              <>
                Last sent <Timestamp at={sentAt} />
              </>
            )}
          </span>
        </p>
        {failure !== null && (
          <p className="wrap-anywhere text-danger text-xs leading-5">
            {failure.words} Failing since <Timestamp at={failure.since} />.
          </p>
        )}
      </div>
      <div className="flex gap-2">{actions}</div>
    </li>
  )
}

type Open =
  | { kind: 'syslog'; receiver: Extract<AuditReceiver, { kind: 'syslog' }> | null }
  | { kind: 'http'; receiver: Extract<AuditReceiver, { kind: 'http' }> | null }
  | { kind: 'remove'; receiver: AuditReceiver }

function toOpen(receiver: AuditReceiver): Open | null {
  switch (receiver.kind) {
    case 'syslog':
      return { kind: 'syslog', receiver }
    case 'http':
      return { kind: 'http', receiver }
    case 'unreadable':
      return null
  }
}

function Loaded({ receivers }: { receivers: readonly AuditReceiver[] }) {
  const [open, setOpen] = useState<Open | null>(null)
  const remove = useRemoveReceiver()
  const trigger = useRef<HTMLButtonElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  function show(next: Open, button: HTMLButtonElement): void {
    trigger.current = button
    setOpen(next)
  }
  function close(): void {
    setOpen(null)
  }
  function returnFocus(): HTMLElement | null {
    return trigger.current?.isConnected ? trigger.current : addButton.current
  }
  const dialogProps = { onClose: close, finalFocus: () => returnFocus() ?? true }
  return (
    <div className="flex flex-col gap-4">
      {receivers.length === 0 ? (
        <p className="text-muted text-sm">No receivers yet. The audit log stays on this server.</p>
      ) : (
        <ul aria-label="Receivers" className="divide-y divide-hairline rounded-card border border-hairline">
          {receivers.map((receiver) => {
            const edit = toOpen(receiver)
            return (
              <ReceiverRow
                key={receiver._id}
                receiver={receiver}
                actions={
                  <>
                    {edit !== null && (
                      <Button
                        size="small"
                        aria-label={`Edit ${receiver.name}`}
                        onClick={({ currentTarget }) => show(edit, currentTarget)}
                      >
                        Edit
                      </Button>
                    )}
                    <Button
                      size="small"
                      aria-label={`Remove ${receiver.name}`}
                      onClick={({ currentTarget }) => show({ kind: 'remove', receiver }, currentTarget)}
                    >
                      Remove
                    </Button>
                  </>
                }
              />
            )
          })}
        </ul>
      )}
      {receivers.length < receiverMaximum && (
        <div className="flex flex-wrap gap-2">
          <Button
            ref={addButton}
            onClick={({ currentTarget }) => show({ kind: 'syslog', receiver: null }, currentTarget)}
          >
            Add syslog server
          </Button>
          <Button onClick={({ currentTarget }) => show({ kind: 'http', receiver: null }, currentTarget)}>
            Add HTTP endpoint
          </Button>
        </div>
      )}
      {open?.kind === 'syslog' && <SyslogDialog receiver={open.receiver} {...dialogProps} />}
      {open?.kind === 'http' && <HttpDialog receiver={open.receiver} {...dialogProps} />}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          open
          title="Remove this receiver?"
          confirmLabel="Remove"
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(open.receiver._id, {
              // The row of the button goes away, perhaps only after the dialog.
              onSuccess: () => {
                trigger.current = addButton.current
              },
              onSettled: close,
            })
          }
          onCancel={close}
          finalFocus={returnFocus}
        >
          <QuestionSubject name={open.receiver.name} />
          <p className="mt-2">It no longer receives the audit log. Entries not sent yet are not delivered.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The servers that get a copy of the audit log. */
export function AuditStreamSection() {
  const { data, error, refetch } = useQuery({ ...auditStreamQuery(), meta: { quiet: true } })
  return (
    <Card>
      <section aria-labelledby="audit-stream">
        <h2 id="audit-stream" className="font-semibold text-lg">
          Audit log receivers
        </h2>
        <p className="mt-1 mb-4 text-muted text-sm">
          Send a copy of the audit log to a syslog server or a collector, such as Splunk or Elastic.
        </p>
        {data !== undefined && <Loaded receivers={data.receivers} />}
        {data === undefined && error === null && (
          <div role="status">
            <span className="sr-only">Loading the receivers…</span>
            <Skeleton className="h-24" />
          </div>
        )}
        {data === undefined && error !== null && (
          <div className="flex flex-col items-start gap-3">
            <Banner tone="danger">{messageOf(error, texts.auditStream.loadFailed)}</Banner>
            <Button onClick={() => void refetch()}>Try again</Button>
          </div>
        )}
      </section>
    </Card>
  )
}
