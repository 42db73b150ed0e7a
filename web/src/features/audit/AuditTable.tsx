import type { AuditEntry } from '@lyceum/contract/audit'
import { Ban, ChevronDown, CircleCheck, CircleX, type LucideIcon, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '#lib/date-time.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Status, type Tone } from '#ui/Status.tsx'
import { type Column, coversCard, Table } from '#ui/Table.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { AuditDetails } from './AuditDetails.tsx'
import { describeAction } from './audit-labels.ts'
import { describeObject } from './audit-object.ts'

const results: Record<AuditEntry['result'], { tone: Tone; icon: LucideIcon; label: string }> = {
  ok: { tone: 'success', icon: CircleCheck, label: 'Done' },
  denied: { tone: 'warning', icon: Ban, label: 'Denied' },
  failed: { tone: 'danger', icon: CircleX, label: 'Failed' },
}

function Actor({ entry: { actor, userAgent } }: { entry: AuditEntry }) {
  if (actor === null) {
    const label =
      userAgent === 'command line' ? 'Command line' : userAgent === '' ? 'Server' : 'Not signed in'
    return <span className="font-normal text-muted">{label}</span>
  }
  return (
    <>
      <p dir="auto" className="wrap-anywhere">
        {actor.name}
      </p>
      <p
        title={actor.email}
        className="font-normal text-muted text-xs max-sm:hidden sm:max-w-40 sm:truncate xl:max-w-64"
      >
        {actor.email}
      </p>
    </>
  )
}

function AffectedObject({ entry }: { entry: AuditEntry }) {
  const object = describeObject(entry)
  if (object === null) return <span className="text-muted">–</span>
  const { name, kind, relatedName } = object
  if (name === null) return kind
  return (
    <>
      <p dir="auto" className="wrap-anywhere line-clamp-3">
        {name}
      </p>
      <p className="wrap-anywhere text-muted text-xs max-sm:hidden">
        {kind}
        {relatedName !== null && (
          <>
            {' '}
            <bdi>{relatedName}</bdi>
          </>
        )}
      </p>
    </>
  )
}

/** IPv6 addresses may wrap; IPv4 addresses stay on one line. */
function IpAddress({ ip }: Pick<AuditEntry, 'ip'>) {
  return (
    <span className={ip.includes(':') ? 'wrap-anywhere inline-block lg:min-w-28' : 'whitespace-nowrap'}>
      {ip === '' ? '–' : ip}
    </span>
  )
}

function Result({ result }: Pick<AuditEntry, 'result'>) {
  const { tone, icon, label } = results[result]
  // Plain, so that the few entries that were denied or failed can be seen in a long list.
  if (result === 'ok') return <span className="text-muted text-sm">{label}</span>
  return (
    <Status tone={tone} icon={icon}>
      {label}
    </Status>
  )
}

interface Props {
  entries: readonly AuditEntry[]
  isFiltered: boolean
  /** The user that the list is filtered by. */
  actorId: string | null
  onFilterByActor: (id: string) => void
  onClear: () => void
}

export function AuditTable({ entries, isFiltered, actorId, onFilterByActor, onClear }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  function toggle(id: string): void {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const columns: Column<AuditEntry>[] = [
    { header: 'Time', hidesHeader: true, card: 'lastDetail', cell: ({ at }) => <Timestamp at={at} /> },
    {
      header: 'Who',
      isRowHeader: true,
      hidesHeader: true,
      card: 'title',
      cell: (entry) => <Actor entry={entry} />,
    },
    {
      header: 'What',
      hidesHeader: true,
      card: 'detail',
      cell: (entry) => (
        <>
          {describeAction(entry)}
          {/* Between the widths of cards and of the column. */}
          {entry.result !== 'ok' && (
            <div className="mt-1 max-sm:hidden lg:hidden">
              <Result result={entry.result} />
            </div>
          )}
        </>
      ),
    },
    {
      header: 'Object',
      hidesHeader: true,
      card: 'detail',
      isBlank: (entry) => describeObject(entry) === null,
      cell: (entry) => <AffectedObject entry={entry} />,
    },
    {
      header: 'Result',
      hideBelow: 'lg',
      hidesHeader: true,
      card: 'label',
      isBlank: ({ result }) => result === 'ok',
      cell: ({ result }) => <Result result={result} />,
    },
    { header: 'IP address', hideBelow: 'lg', cell: ({ ip }) => <IpAddress ip={ip} /> },
    {
      header: 'Details',
      hidesHeader: true,
      align: 'end',
      card: 'label',
      cell: ({ _id, at }) => {
        const isOpen = open.has(_id)
        return (
          <Button
            variant="ghost"
            size="small"
            className={cx('max-sm:h-6! max-sm:min-h-0! max-sm:px-1', coversCard)}
            aria-expanded={isOpen}
            aria-label={`Details of the entry from ${formatDateTime(at)}`}
            onClick={() => toggle(_id)}
          >
            <span className="max-lg:hidden">Details</span>
            <ChevronDown
              aria-hidden="true"
              className={cx('size-4 transition-transform', isOpen && 'rotate-180')}
            />
          </Button>
        )
      },
    },
  ]
  return (
    <Table
      caption="Audit log"
      columns={columns}
      rows={entries}
      getKey={({ _id }) => _id}
      renderDetail={(entry) =>
        open.has(entry._id) ? (
          <AuditDetails
            entry={entry}
            onFilterByActor={
              entry.actor && entry.actor._id !== actorId
                ? () => entry.actor && onFilterByActor(entry.actor._id)
                : undefined
            }
          />
        ) : null
      }
      empty={
        <EmptyState
          icon={ScrollText}
          hint={isFiltered ? 'No entries match these filters.' : undefined}
          action={isFiltered && <Button onClick={onClear}>Show all entries</Button>}
        >
          No entries found.
        </EmptyState>
      }
    />
  )
}
