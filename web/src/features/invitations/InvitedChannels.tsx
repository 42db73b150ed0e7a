import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { channelsQuery } from '#features/channels/queries.ts'
import { formatCount } from '#lib/format-count.ts'

function Names({ ids, listId }: { ids: readonly string[]; listId: string }) {
  const { data, isPending } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  function findName(id: string): string | undefined {
    return data?.find(({ _id }) => _id === id)?.name
  }
  if (isPending) return <p className="text-muted text-xs">Loading…</p>
  return (
    <ul id={listId} className="mt-1 flex max-h-40 flex-col gap-0.5 overflow-y-auto text-muted text-xs">
      {ids.map((id) => (
        <li key={id} dir="auto" className="wrap-anywhere">
          {findName(id) ?? 'Deleted channel'}
        </li>
      ))}
    </ul>
  )
}

/** The number of channels, which expands to their names. */
export function InvitedChannels({ ids, fullName }: { ids: readonly string[]; fullName: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  if (ids.length === 0) return <span className="text-muted">None</span>
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-label={`${formatCount(ids.length, 'channel')} for ${fullName}`}
        onClick={() => setIsOpen(!isOpen)}
        className="-mx-2 inline-flex min-h-8 items-center rounded-control px-2 font-medium text-link underline decoration-dotted underline-offset-4 hover:bg-surface-2 pointer-coarse:min-h-11 max-sm:-my-2 max-sm:pointer-coarse:-my-3.5"
      >
        {ids.length.toLocaleString()}
      </button>
      {isOpen && <Names ids={ids} listId={listId} />}
    </>
  )
}
