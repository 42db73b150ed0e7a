import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { VisibleLabel } from '#ui/VisibleLabel.tsx'
import { userPageQuery } from './queries.ts'

interface Props {
  value: string | null
  /** The user's name in the displayed entries, because the search does not find deleted users. */
  name: string | null
  onChange: (id: string | null) => void
}

const allUsers = { value: '', label: 'All users' }

/** Filters entries by user. */
export function UserFilter({ value, name, onChange }: Props) {
  const [search, setSearch] = useState('')
  const { data } = useQuery(userPageQuery(1, search.trim()))
  const users = data?.items ?? []
  const chosen = users.find(({ _id }) => _id === value)?.name ?? name ?? 'Selected user'
  const options = users.map((user) => ({ value: user._id, label: `${user.name} (${user.email})` }))
  return (
    <VisibleLabel label="User">
      <SearchSelect
        label="User"
        value={value ?? ''}
        valueLabel={value === null ? allUsers.label : chosen}
        options={search === '' ? [allUsers, ...options] : options}
        unlisted={Math.max(0, (data?.total ?? 0) - options.length)}
        onSearch={setSearch}
        onChange={(id) => onChange(id === '' ? null : id)}
      />
    </VisibleLabel>
  )
}
