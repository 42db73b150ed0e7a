import type { AuditEntry } from '@lyceum/contract/audit'
import { Ban, ChevronDown, CircleCheck, CircleX, type LucideIcon, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { dateTime } from '#lib/date-time.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Status, type Tone } from '#ui/Status.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { AuditDetails } from './AuditDetails.tsx'
import { actionWords, fieldWords } from './audit-labels.ts'

const results: Record<AuditEntry['result'], { tone: Tone; icon: LucideIcon; word: string }> = {
  ok: { tone: 'success', icon: CircleCheck, word: 'Done' },
  denied: { tone: 'warning', icon: Ban, word: 'Refused' },
  failed: { tone: 'danger', icon: CircleX, word: 'Failed' },
}

function Who({ entry: { actor, userAgent } }: { entry: AuditEntry }) {
  if (actor === null) {
    const nobody =
      userAgent === 'command line' ? 'Command line' : userAgent === '' ? 'The server' : 'Nobody signed in'
    return <span className="font-normal text-muted">{nobody}</span>
  }
  return (
    <>
      <p dir="auto" className="wrap-anywhere">
        {actor.name}
      </p>
      <p className="wrap-anywhere font-normal text-muted text-xs">{actor.email}</p>
    </>
  )
}

function Concerned({ entry: { object } }: { entry: AuditEntry }) {
  if (object === null) return <span className="text-muted">–</span>
  return (
    <>
      <p dir="auto" className="wrap-anywhere line-clamp-3">
        {object.name ?? object._id}
      </p>
      <p className="text-muted text-xs">{fieldWords(object.type)}</p>
    </>
  )
}

/** An IPv6 address may need two lines; an IPv4 one never. */
function Address({ ip }: Pick<AuditEntry, 'ip'>) {
  return (
    <span className={ip.includes(':') ? 'wrap-anywhere inline-block lg:min-w-28' : 'whitespace-nowrap'}>
      {ip === '' ? '–' : ip}
    </span>
  )
}

function Result({ result }: Pick<AuditEntry, 'result'>) {
  const { tone, icon, word } = results[result]
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  )
}

interface Props {
  entries: readonly AuditEntry[]
  isFiltered: boolean
  /** Whom the list is about alone, if anybody. */
  actorId: string | null
  onFilterByUser: (id: string) => void
}

export function AuditTable({ entries, isFiltered, actorId, onFilterByUser }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  function toggle(id: string): void {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const columns: Column<AuditEntry>[] = [
    {
      header: 'Time',
      cell: ({ at }) => (
        <time dateTime={at} className="whitespace-nowrap">
          {dateTime(at)}
        </time>
      ),
    },
    { header: 'Who', isRowHeader: true, cell: (entry) => <Who entry={entry} /> },
    { header: 'What', cell: ({ action }) => actionWords[action] },
    { header: 'Object', cell: (entry) => <Concerned entry={entry} /> },
    { header: 'Result', cell: ({ result }) => <Result result={result} /> },
    { header: 'Address', cell: ({ ip }) => <Address ip={ip} /> },
    {
      header: 'Details',
      isSelfEvident: true,
      align: 'end',
      cell: ({ _id, at }) => {
        const isOpen = open.has(_id)
        return (
          <Button
            variant="ghost"
            size="small"
            aria-expanded={isOpen}
            aria-label={`Details of ${dateTime(at)}`}
            onClick={() => toggle(_id)}
          >
            Details
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
      keyOf={({ _id }) => _id}
      stackBelow="lg"
      detailOf={(entry) =>
        open.has(entry._id) ? (
          <AuditDetails
            entry={entry}
            onFilterByUser={
              entry.actor && entry.actor._id !== actorId
                ? () => entry.actor && onFilterByUser(entry.actor._id)
                : undefined
            }
          />
        ) : null
      }
      empty={
        <EmptyState icon={ScrollText} hint={isFiltered ? 'Nothing matches these filters.' : undefined}>
          No entries found.
        </EmptyState>
      }
    />
  )
}
