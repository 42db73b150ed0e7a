import type { Channel } from '@lyceum/contract/channels'
import { listMaximum } from '@lyceum/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelPageQuery, channelQuery, channelsWithArchivedQuery } from '#features/channels/queries.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { Select } from '#ui/Select.tsx'

interface Props {
  /** Empty means all channels. */
  channelId: string
  onChange: (channelId: string) => void
  className?: string
}

/** With this many channels or more, offer a search field instead of a list. */
const searchThreshold = 20

const maxMatchesShown = 50

const debounceMs = 300

const allChannels = { value: '', label: 'All Channels' }

const quiet = { meta: { quiet: true } } as const

/** Searches the loaded channels by name, or asks the server when the loaded list is incomplete. */
function useChannelSearch(all: readonly Channel[], search: string) {
  const isComplete = all.length < listMaximum
  const debouncedSearch = useDebounced(search, debounceMs)
  const page = useQuery({
    ...channelPageQuery(1, debouncedSearch, 'include'),
    ...quiet,
    enabled: !isComplete,
  })
  if (!isComplete) return { matches: page.data?.items ?? [], total: page.data?.total ?? 0 }
  const wanted = search.trim().toLocaleLowerCase()
  const matches = all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  return { matches: matches.slice(0, maxMatchesShown), total: matches.length }
}

function ChannelSearch({ all, channelId, onChange, ...rest }: Props & { all: readonly Channel[] }) {
  const [search, setSearch] = useState('')
  const { matches, total } = useChannelSearch(all, search)
  const loaded = all.find(({ _id }) => _id === channelId)
  const fetched = useQuery({
    ...channelQuery(channelId),
    ...quiet,
    enabled: channelId !== '' && loaded === undefined,
  })
  const selectedLabel =
    channelId === '' ? allChannels.label : ((loaded ?? fetched.data)?.name ?? 'Selected channel')
  const options = matches.map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <SearchSelect
      label="Channel"
      value={channelId}
      valueLabel={selectedLabel}
      options={search === '' ? [allChannels, ...options] : options}
      unlisted={total - matches.length}
      onSearch={setSearch}
      onChange={onChange}
      {...rest}
    />
  )
}

/** Selects the channel to filter by. */
export function ChannelFilter(props: Props) {
  const { channelId, onChange, className } = props
  const { data: all = [] } = useQuery({ ...channelsWithArchivedQuery(), ...quiet })
  if (all.length >= searchThreshold) {
    return <ChannelSearch all={all} {...props} />
  }
  // The URL may name a channel that was deleted.
  const isKnown = channelId === '' || all.some(({ _id }) => _id === channelId)
  return (
    <Select
      aria-label="Channel"
      value={channelId}
      onChange={(event) => onChange(event.target.value)}
      className={className}
    >
      <option value="">{allChannels.label}</option>
      {!isKnown && <option value={channelId}>Selected channel</option>}
      {all.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
