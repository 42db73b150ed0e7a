import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { userPageQuery } from './queries.ts'

interface Props {
  value: string | null
  /** As an entry names them: who was deleted is in no list of users. */
  name: string | null
  onChange: (id: string | null) => void
}

const everybody = { value: '', label: 'Everybody' }

/** Whose entries are shown, found among the users. */
export function UserFilter({ value, name, onChange }: Props) {
  const [search, setSearch] = useState('')
  const { data } = useQuery(userPageQuery(1, search.trim()))
  const users = data?.items ?? []
  const chosen = users.find(({ _id }) => _id === value)?.name ?? name ?? 'One person'
  const found = users.map((user) => ({ value: user._id, label: `${user.name} (${user.email})` }))
  return (
    <div className="flex flex-col gap-1.5 max-sm:col-span-2">
      <span aria-hidden="true" className="font-medium text-sm">
        Person
      </span>
      <SearchSelect
        label="Person"
        value={value ?? ''}
        valueLabel={value === null ? everybody.label : chosen}
        options={search === '' ? [everybody, ...found] : found}
        unlisted={Math.max(0, (data?.total ?? 0) - found.length)}
        onSearch={setSearch}
        onChange={(id) => onChange(id === '' ? null : id)}
      />
    </div>
  )
}
