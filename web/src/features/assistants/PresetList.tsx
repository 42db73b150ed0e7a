import type { AssistantStatus, Preset } from '@lyceum/contract/assistants'
import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'
import { Badge } from '#ui/Status.tsx'

const presetsPerPage = 10

interface Props {
  presets: readonly Preset[]
  models: AssistantStatus['models']
  canEdit: boolean
  onOpen: (preset: Preset) => void
  onDelete: (preset: Preset) => void
}

function describeUsage(channelCount: number): string {
  if (channelCount === 0) return 'Not used by any channel'
  return `Used by ${formatCount(channelCount, 'channel')}`
}

function Facts({ preset, models }: { preset: Preset; models: Props['models'] }) {
  const answeredBy = models.find(({ label }) => label === preset.model)?.answeredBy ?? preset.model
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
      <span className="inline-flex min-w-0 max-w-full items-center gap-1">
        <code className="wrap-anywhere min-w-0">{preset.assistantId}</code>
        <CopyButton label={`Copy the assistant ID of ${preset.name}`} text={() => preset.assistantId} />
      </span>
      <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-1.5">
        <Badge>{preset.model}</Badge>
        {answeredBy !== preset.model && <span className="wrap-anywhere">answered by {answeredBy}</span>}
      </span>
      <span>{describeUsage(preset.channelCount)}</span>
    </div>
  )
}

type RowProps = Omit<Props, 'presets'> & { preset: Preset }

function Row({ preset, models, canEdit, onOpen, onDelete }: RowProps) {
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-start sm:justify-between">
      <div className="min-w-0">
        <h3
          dir="auto"
          title={preset.name}
          className="wrap-anywhere line-clamp-2 text-start font-medium text-sm leading-5"
        >
          {preset.name}
        </h3>
        {preset.description !== '' && (
          <p dir="auto" className="wrap-anywhere mt-0.5 line-clamp-2 text-start text-muted text-sm">
            {preset.description}
          </p>
        )}
        <Facts preset={preset} models={models} />
      </div>
      <div className="flex shrink-0 gap-2">
        <Button size="small" aria-description={preset.name} onClick={() => onOpen(preset)}>
          {canEdit ? (
            <Pencil aria-hidden="true" className="size-4" />
          ) : (
            <Eye aria-hidden="true" className="size-4" />
          )}
          {canEdit ? 'Edit' : 'View'}
        </Button>
        <Button
          size="small"
          aria-description={preset.name}
          aria-disabled={!canEdit}
          onClick={() => onDelete(preset)}
        >
          <Trash2 aria-hidden="true" className="size-4 text-danger" />
          Delete
        </Button>
      </div>
    </li>
  )
}

function matchesSearch({ name, assistantId }: Preset, search: string): boolean {
  return `${name}\n${assistantId}`.toLocaleLowerCase().includes(search.toLocaleLowerCase())
}

/** Paged list of ready-made assistants, with a search field when there are many. */
export function PresetList({ presets, ...rest }: Props) {
  const [search, setSearch] = useState('')
  const [requestedPage, setRequestedPage] = useState(1)
  const found = search === '' ? presets : presets.filter((preset) => matchesSearch(preset, search))
  const totalPages = Math.max(1, Math.ceil(found.length / presetsPerPage))
  // The requested page may no longer exist after a deletion.
  const page = Math.min(requestedPage, totalPages)
  return (
    <>
      {presets.length > presetsPerPage && (
        <SearchInput
          label="Search assistants"
          value={search}
          onSearch={(text) => {
            setSearch(text)
            setRequestedPage(1)
          }}
          className="mx-5 mb-4"
        />
      )}
      {found.length === 0 ? (
        <p role="status" className="wrap-anywhere border-hairline border-t px-5 py-6 text-muted text-sm">
          No results for “{search}”.
        </p>
      ) : (
        <ul aria-label="Ready-made assistants" className="divide-y divide-hairline border-hairline border-t">
          {found.slice((page - 1) * presetsPerPage, page * presetsPerPage).map((preset) => (
            <Row key={preset._id} preset={preset} {...rest} />
          ))}
        </ul>
      )}
      {totalPages > 1 && (
        <div className="border-hairline border-t p-3">
          <Pagination
            page={page}
            totalPages={totalPages}
            onChange={setRequestedPage}
            label="Pages of ready-made assistants"
          />
        </div>
      )}
    </>
  )
}
