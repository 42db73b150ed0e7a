import { useQuery } from '@tanstack/react-query'
import { FilterX, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCan } from '#features/auth/use-can.ts'
import { userQuery } from '#features/users/queries.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { ChannelFilter } from '../ChannelFilter.tsx'
import type { DocumentView } from './use-document-view.ts'

/** Names a filter that links to this page set, and removes it. */
function LinkedFilter({ children, onRemove }: { children: ReactNode; onRemove: () => void }) {
  return (
    <Button onClick={onRemove} aria-description="Removes this filter">
      <span dir="auto" className="wrap-anywhere line-clamp-1">
        {children}
      </span>
      <X aria-hidden="true" className="size-4 shrink-0" />
    </Button>
  )
}

/** Names the user whose uploads are listed. */
function UploaderFilter({ uploaderId, onRemove }: { uploaderId: string; onRemove: () => void }) {
  const canManageUsers = useCan('canManageUsers')
  const { data } = useQuery({ ...userQuery(uploaderId), enabled: canManageUsers, meta: { quiet: true } })
  return <LinkedFilter onRemove={onRemove}>Uploaded by {data?.name ?? 'one user'}</LinkedFilter>
}

interface Props {
  view: DocumentView
  isFiltered: boolean
  onChange: (change: Partial<DocumentView>, replace?: boolean) => void
  onClear: () => void
}

export function DocumentFilters({ view, isFiltered, onChange, onClear }: Props) {
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-center">
      <ChannelFilter
        channelId={view.channelId}
        onChange={(channelId) => onChange({ channelId })}
        className="sm:w-72"
      />
      <SearchInput
        label="Search by name"
        value={view.search}
        onSearch={(search) => onChange({ search }, true)}
        className="sm:w-64"
      />
      {view.uploaderId !== '' && (
        <UploaderFilter uploaderId={view.uploaderId} onRemove={() => onChange({ uploaderId: '' })} />
      )}
      {view.index === 'without-vectors' && (
        <LinkedFilter onRemove={() => onChange({ index: null })}>Found by keywords only</LinkedFilter>
      )}
      {view.status === 'approved' && (
        <Checkbox
          label="Could not be indexed"
          checked={view.index === 'failed'}
          onChange={({ target }) => onChange({ index: target.checked ? 'failed' : null })}
        />
      )}
      <Button variant="ghost" aria-disabled={!isFiltered} onClick={onClear}>
        <FilterX aria-hidden="true" className="size-4" />
        Clear Filters
      </Button>
    </div>
  )
}
