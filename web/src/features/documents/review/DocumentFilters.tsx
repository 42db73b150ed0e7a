import { FilterX } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { ChannelFilter } from '../ChannelFilter.tsx'
import type { DocumentView } from './use-document-view.ts'

interface Props {
  view: DocumentView
  isFiltered: boolean
  onChange: (change: Partial<DocumentView>, replace?: boolean) => void
  onClear: () => void
}

export function DocumentFilters({ view, isFiltered, onChange, onClear }: Props) {
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-center">
      <ChannelFilter channelId={view.channelId} onChange={(channelId) => onChange({ channelId })} />
      <SearchInput
        label="Search by name"
        value={view.search}
        onSearch={(search) => onChange({ search }, true)}
        className="sm:w-64"
      />
      {view.status === 'approved' && (
        <Checkbox
          label="Could not be indexed"
          checked={view.isFailed}
          onChange={({ target }) => onChange({ isFailed: target.checked })}
        />
      )}
      <Button variant="ghost" disabled={!isFiltered} onClick={onClear}>
        <FilterX aria-hidden="true" className="size-4" />
        Clear Filters
      </Button>
    </div>
  )
}
