import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { documentChoicesQuery } from './queries.ts'

export interface DocumentChoice {
  _id: string
  title: string
}

interface Props {
  channelId: string
  selected: readonly DocumentChoice[]
  onToggle: (document: DocumentChoice, isSelected: boolean) => void
  error: string | undefined
}

type ListProps = Pick<Props, 'channelId' | 'selected' | 'onToggle'> & { search: string }

function List({ channelId, selected, onToggle, search }: ListProps) {
  const choices = useQuery(documentChoicesQuery(channelId, search))
  const { data, error } = choices
  if (data === undefined && error !== null)
    return (
      <div className="flex flex-col items-start gap-3 py-2">
        <p className="text-danger text-sm">{messageOf(error, 'The documents could not be loaded.')}</p>
        <Button size="small" onClick={() => void choices.refetch()}>
          Try again
        </Button>
      </div>
    )
  if (data === undefined) return <Skeleton className="h-40" />
  // Keep the selected documents visible even if they are not on the loaded page.
  const others = selected.filter(({ _id }) => !data.items.some((item) => item._id === _id))
  const shown: readonly DocumentChoice[] = search === '' ? [...others, ...data.items] : data.items
  const emptyText = search === '' ? 'No approved documents yet.' : `No document name contains “${search}”.`
  return (
    <>
      <ul
        aria-busy={choices.isPlaceholderData}
        className="max-h-72 overflow-y-auto rounded-control border border-hairline px-3 py-1"
      >
        {shown.map(({ _id, title }) => (
          <li key={_id}>
            <Checkbox
              name="expectedDocumentIds"
              label={
                <span dir="auto" className="wrap-anywhere">
                  {title}
                </span>
              }
              checked={selected.some((document) => document._id === _id)}
              onChange={(event) => onToggle({ _id, title }, event.target.checked)}
            />
          </li>
        ))}
        {shown.length === 0 && <li className="py-2.5 text-muted text-sm">{emptyText}</li>}
      </ul>
      {data.total > data.items.length && (
        <p className="mt-1.5 text-muted text-xs tabular-nums">
          Showing the newest {data.items.length.toLocaleString()} of {data.total.toLocaleString()}. Search to
          find others.
        </p>
      )}
    </>
  )
}

/** Selects, from the channel's approved documents, those that a question should find. */
export function TestBenchDocuments({ channelId, selected, onToggle, error }: Props) {
  const id = useId()
  const [search, setSearch] = useState('')
  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      aria-describedby={error === undefined ? `${id}-count` : `${id}-error ${id}-count`}
      className="min-w-0"
    >
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-4">
        <span id={`${id}-label`} className="font-medium text-sm">
          Expected documents
        </span>
        <span id={`${id}-count`} className="text-muted text-xs tabular-nums">
          {selected.length.toLocaleString()} selected
        </span>
      </legend>
      <SearchInput label="Search documents" value={search} onSearch={setSearch} className="mb-2" />
      <List channelId={channelId} selected={selected} onToggle={onToggle} search={search} />
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-danger text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
