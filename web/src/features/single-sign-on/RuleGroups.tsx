import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { groupPageQuery, groupQuery } from '#features/groups/queries.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { SearchSelect } from '#ui/SearchSelect.tsx'

function ChosenGroup({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data, error } = useQuery({ ...groupQuery(id), meta: { quiet: true } })
  const name = data?.name ?? (error === null ? '…' : 'Deleted group')
  return (
    <li className="flex items-center justify-between gap-3 py-1 text-sm">
      <bdi className="wrap-anywhere">{name}</bdi>
      <IconButton
        icon={X}
        label="Remove group"
        tooltipAlign="end"
        aria-description={name}
        onClick={onRemove}
      />
    </li>
  )
}

interface Props {
  groupIds: readonly string[]
  onChange: (groupIds: string[]) => void
}

/** The groups that a rule puts users into, found by name: there can be thousands. */
export function RuleGroups({ groupIds, onChange }: Props) {
  const [search, setSearch] = useState('')
  const { data } = useQuery({ ...groupPageQuery(1, useDebounced(search, 250)), meta: { quiet: true } })
  const free = data?.items.filter(({ _id }) => !groupIds.includes(_id)) ?? []
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="font-medium text-sm">Add them to these groups</p>
      {groupIds.length > 0 && (
        <ul className="divide-y divide-hairline">
          {groupIds.map((id) => (
            <ChosenGroup
              key={id}
              id={id}
              onRemove={() => onChange(groupIds.filter((other) => other !== id))}
            />
          ))}
        </ul>
      )}
      <SearchSelect
        label="Add a group"
        value=""
        valueLabel=""
        options={free.map(({ _id, name }) => ({ value: _id, label: name }))}
        unlisted={Math.max(0, (data?.total ?? 0) - (data?.items.length ?? 0))}
        onSearch={setSearch}
        onChange={(id) => onChange([...groupIds, id])}
      />
    </div>
  )
}
