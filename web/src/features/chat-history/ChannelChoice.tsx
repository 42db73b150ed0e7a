import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelPageQuery, channelQuery } from '#features/channels/queries.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { Labelled } from './Labelled.tsx'

interface Props {
  value: string | null
  onChange: (id: string | null) => void
}

const all = { value: '', label: 'All channels' }
const quiet = { meta: { quiet: true } } as const

/** Whose chats are shown, by the channel they are in. */
export function ChannelChoice({ value, onChange }: Props) {
  const [search, setSearch] = useState('')
  const { data } = useQuery({ ...channelPageQuery(1, search.trim()), ...quiet })
  const channels = data?.items ?? []
  const listed = channels.find(({ _id }) => _id === value)
  const named = useQuery({
    ...channelQuery(value ?? ''),
    ...quiet,
    enabled: value !== null && data !== undefined && listed === undefined,
  })
  const chosen = (listed ?? named.data)?.name ?? 'One channel'
  const found = channels.map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <Labelled label="Channel">
      <SearchSelect
        label="Channel"
        value={value ?? ''}
        valueLabel={value === null ? all.label : chosen}
        options={search === '' ? [all, ...found] : found}
        unlisted={Math.max(0, (data?.total ?? 0) - found.length)}
        onSearch={setSearch}
        onChange={(id) => onChange(id === '' ? null : id)}
      />
    </Labelled>
  )
}
