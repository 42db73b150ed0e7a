import type { Channel } from '@lyceum/contract/channels'
import { FilterX } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Select } from '#ui/Select.tsx'
import type { DocumentView } from './use-document-view.ts'

interface Props {
  view: DocumentView
  channels: readonly Channel[]
  isFiltered: boolean
  onChange: (change: Partial<DocumentView>, replace?: boolean) => void
  onClear: () => void
}

export const DocumentFilters = ({ view, channels, isFiltered, onChange, onClear }: Props) => {
  // The address may name a channel that is gone or not among those that were loaded.
  const isKnown = view.channelId === '' || channels.some(({ _id }) => _id === view.channelId)
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-center">
      <Select
        aria-label="Channel"
        value={view.channelId}
        onChange={(event) => onChange({ channelId: event.target.value })}
        className="sm:w-64"
      >
        <option value="">All Channels</option>
        {!isKnown && <option value={view.channelId}>Selected channel</option>}
        {channels.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </Select>
      <SearchInput
        label="Search by name"
        value={view.search}
        onSearch={(search) => onChange({ search }, true)}
        className="sm:w-64"
      />
      <Button variant="ghost" disabled={!isFiltered} onClick={onClear}>
        <FilterX aria-hidden="true" className="size-4" />
        Clear Filters
      </Button>
    </div>
  )
}
