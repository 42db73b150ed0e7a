import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { banner } from './banner.ts'
import { Checkbox } from './Checkbox.tsx'
import { TextInput } from './TextInput.tsx'

interface CheckItem {
  id: string
  label: string
  hint?: ReactNode
  /** The reason why it cannot be toggled. */
  refusal?: string | null
}

interface ItemProps {
  item: CheckItem
  isChosen: boolean
  onToggle: (id: string, isChosen: boolean) => void
}

function Item({ item: { id, label, hint, refusal = null }, isChosen, onToggle }: ItemProps) {
  const reasonId = useId()
  return (
    <li>
      {/* A title of the list item would become its name. */}
      <div title={refusal ?? undefined}>
        <Checkbox
          label={
            <span dir="auto" className="wrap-anywhere">
              {label}
            </span>
          }
          hint={hint}
          checked={isChosen}
          // Keeps the focus, so that the reason can be read.
          aria-disabled={refusal !== null || undefined}
          aria-describedby={refusal === null ? undefined : reasonId}
          onChange={({ target }) => (refusal === null ? onToggle(id, target.checked) : banner.error(refusal))}
        />
        {refusal !== null && (
          <span id={reasonId} hidden>
            {refusal}
          </span>
        )}
      </div>
    </li>
  )
}

interface Props {
  label: string
  searchLabel: string
  items: readonly CheckItem[]
  chosen: ReadonlySet<string>
  onToggle: (id: string, isChosen: boolean) => void
  /** Shown when there are no items. */
  empty: string
}

/** With this many items or more, show a search field. */
const searchThreshold = 8

/** Enter in the search field must not submit a form around the list. */
function preventSubmit(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

/** A list of checkboxes, with a search field if it is long. */
export function CheckList({ label, searchLabel, items, chosen, onToggle, empty }: Props) {
  const [search, setSearch] = useState('')
  const id = useId()
  const query = search.trim().toLocaleLowerCase()
  const shown = items.filter((item) => item.label.toLocaleLowerCase().includes(query))
  const chosenCount = items.filter((item) => chosen.has(item.id)).length
  return (
    <fieldset aria-labelledby={`${id}-label`} aria-describedby={`${id}-count`} className="min-w-0">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-4">
        <span id={`${id}-label`} className="font-medium text-sm">
          {label}
        </span>
        <span id={`${id}-count`} className="text-muted text-xs tabular-nums">
          {chosenCount.toLocaleString()} of {items.length.toLocaleString()} selected
        </span>
      </legend>
      {items.length >= searchThreshold && (
        <span className="relative mb-2 block">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
          />
          <TextInput
            type="search"
            aria-label={searchLabel}
            placeholder={searchLabel}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={preventSubmit}
            className="pl-9"
          />
        </span>
      )}
      <ul className="max-h-[max(18rem,50dvh)] overflow-y-auto rounded-control border border-hairline px-3 py-1">
        {shown.map((item) => (
          <Item key={item.id} item={item} isChosen={chosen.has(item.id)} onToggle={onToggle} />
        ))}
        {shown.length === 0 && (
          <li className="py-2.5 text-muted text-sm">
            {items.length === 0 ? empty : `No results for “${search.trim()}”.`}
          </li>
        )}
      </ul>
    </fieldset>
  )
}
