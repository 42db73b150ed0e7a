import type { AuditEntry } from '@lyceum/contract/audit'
import { Filter } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { fieldWords, valueWords } from './audit-labels.ts'

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

function Change({ before, after }: { before: unknown; after: unknown }) {
  if (before === undefined) return valueWords(after)
  return (
    <>
      <span className="sr-only">Before: </span>
      <del className="text-muted">{valueWords(before)}</del>
      <span aria-hidden="true"> → </span>
      <span className="sr-only">, after: </span>
      {after === undefined ? 'gone' : <ins className="no-underline">{valueWords(after)}</ins>}
    </>
  )
}

interface Props {
  entry: AuditEntry
  /** Undefined while the list shows this person only. */
  onFilterByUser: (() => void) | undefined
}

/** The whole of an entry: what changed, and where it came from. */
export function AuditDetails({ entry, onFilterByUser }: Props) {
  const { actor, object, before, after, ip, userAgent } = entry
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <div className="flex flex-col gap-3 text-left">
      <dl className="flex flex-col gap-1.5">
        {fields.map((field) => (
          <Fact key={field} label={fieldWords(field)}>
            <Change before={before?.[field]} after={after?.[field]} />
          </Fact>
        ))}
        {object !== null && (
          <Fact label="Object">
            {fieldWords(object.type)} {object._id}
          </Fact>
        )}
        <Fact label="Exact time">
          <time dateTime={entry.at}>{entry.at}</time>
        </Fact>
        <Fact label="Address">{ip === '' ? 'none' : ip}</Fact>
        <Fact label="Browser">{userAgent === '' ? 'none' : userAgent}</Fact>
        <Fact label="Entry">{entry._id}</Fact>
      </dl>
      {actor !== null && onFilterByUser && (
        <div>
          <Button size="small" onClick={onFilterByUser}>
            <Filter aria-hidden="true" className="size-4" />
            Only this person
          </Button>
        </div>
      )}
    </div>
  )
}
