import type { AuditEntry } from '@lyceum/contract/audit'
import { Filter } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { formatField, formatValue, listFields } from './audit-labels.ts'

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 sm:flex-row sm:gap-3">
      <dt className="shrink-0 text-muted text-xs sm:w-40 sm:pt-0.5">{label}</dt>
      <dd dir="auto" className="wrap-anywhere min-w-0 text-start">
        {children}
      </dd>
    </div>
  )
}

function Change({ field, before, after }: { field: string; before: unknown; after: unknown }) {
  // Some entries name what they are about in both.
  if (before === undefined || before === after) return formatValue(after, field)
  return (
    <>
      <span className="sr-only">Before: </span>
      <del className="text-muted">{formatValue(before, field)}</del>
      <span aria-hidden="true"> → </span>
      <span className="sr-only">, after: </span>
      {after === undefined ? 'deleted' : <ins className="no-underline">{formatValue(after, field)}</ins>}
    </>
  )
}

/** Ids are below what viewers look for first. */
function isId(field: string): boolean {
  return /(^id|Id|Ids)$/.test(field)
}

interface Props {
  entry: AuditEntry
  /** Undefined when the list is already filtered by this actor. */
  onFilterByActor: (() => void) | undefined
}

/** The details of an entry: what changed, and where the request came from. */
export function AuditDetails({ entry, onFilterByActor }: Props) {
  const { actor, object, before, after, ip, userAgent } = entry
  const fields = listFields(entry)
  function renderFields(shown: readonly string[]) {
    return shown.map((field) => (
      <Fact key={field} label={formatField(field)}>
        <Change field={field} before={before?.[field]} after={after?.[field]} />
      </Fact>
    ))
  }
  return (
    <div className="flex flex-col gap-3 text-left">
      <dl className="flex flex-col gap-1.5">
        {renderFields(fields.filter((field) => !isId(field)))}
        {actor !== null && <Fact label="Email">{actor.email}</Fact>}
        <Fact label="Exact time">
          <time dateTime={entry.at}>{entry.at}</time>
        </Fact>
        <Fact label="IP address">{ip === '' ? 'none' : ip}</Fact>
        <Fact label="Browser">{userAgent === '' ? 'none' : userAgent}</Fact>
        {object !== null && (
          <Fact label="Object">
            {formatField(object.type)} {object._id}
          </Fact>
        )}
        {renderFields(fields.filter(isId))}
        <Fact label="Entry ID">{entry._id}</Fact>
      </dl>
      {actor !== null && onFilterByActor && (
        <div>
          <Button size="small" onClick={onFilterByActor}>
            <Filter aria-hidden="true" className="size-4" />
            Show only this user
          </Button>
        </div>
      )}
    </div>
  )
}
