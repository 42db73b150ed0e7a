import type { Channel } from '@lyceum/contract/channels'
import { listMaximum } from '@lyceum/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { channelPageQuery, channelQuery, channelsQuery } from '#features/channels/queries.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { Select } from '#ui/Select.tsx'

interface Props {
  /** Empty for all. */
  channelId: string
  onChange: (channelId: string) => void
}

/** From this many on one searches instead of scrolling. */
const searchableFrom = 20

/** A longer list of matches is narrowed by typing. */
const mostShown = 50

const pauseMs = 300

const allChannels = { value: '', label: 'All Channels' }

const quiet = { meta: { quiet: true } } as const

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The channels whose name holds a text: among those at hand, or asked for when there are more than were sent. */
function useChannelSearch(all: readonly Channel[], search: string) {
  const isWhole = all.length < listMaximum
  const asked = useSettled(search)
  const page = useQuery({ ...channelPageQuery(1, asked), ...quiet, enabled: !isWhole })
  if (!isWhole) return { found: page.data?.items ?? [], total: page.data?.total ?? 0 }
  const wanted = search.trim().toLocaleLowerCase()
  const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  return { found: found.slice(0, mostShown), total: found.length }
}

function ChannelSearch({ all, channelId, onChange }: Props & { all: readonly Channel[] }) {
  const [search, setSearch] = useState('')
  const { found, total } = useChannelSearch(all, search)
  const known = all.find(({ _id }) => _id === channelId)
  const named = useQuery({
    ...channelQuery(channelId),
    ...quiet,
    enabled: channelId !== '' && known === undefined,
  })
  const chosen = channelId === '' ? allChannels.label : ((known ?? named.data)?.name ?? 'Selected channel')
  const options = found.map(({ _id, name }) => ({ value: _id, label: name }))
  return (
    <SearchSelect
      label="Channel"
      value={channelId}
      valueLabel={chosen}
      options={search === '' ? [allChannels, ...options] : options}
      unlisted={total - found.length}
      onSearch={setSearch}
      onChange={onChange}
      className="sm:w-72"
    />
  )
}

/** Chooses whose documents are listed. */
export function ChannelFilter({ channelId, onChange }: Props) {
  const { data: all = [] } = useQuery({ ...channelsQuery(), ...quiet })
  if (all.length >= searchableFrom) {
    return <ChannelSearch all={all} channelId={channelId} onChange={onChange} />
  }
  // The address may name a channel that is gone.
  const isKnown = channelId === '' || all.some(({ _id }) => _id === channelId)
  return (
    <Select
      aria-label="Channel"
      value={channelId}
      onChange={(event) => onChange(event.target.value)}
      className="sm:w-72"
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
