import type { StorageUse } from '@lyceum/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { HardDrive } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { storageQuery } from '../queries.ts'

type Row = StorageUse['channels'][number]

const initialRowCount = 10

function formatNumber(value: number): string {
  return value.toLocaleString()
}

const columns: Column<Row>[] = [
  {
    header: 'Channel',
    isRowHeader: true,
    cell: ({ channel }) => (
      <span dir="auto" title={channel.name} className="wrap-anywhere line-clamp-2 text-start">
        {channel.name}
      </span>
    ),
  },
  { header: 'Documents', align: 'end', cell: ({ documents }) => formatNumber(documents) },
  { header: 'Versions', align: 'end', cell: ({ versions }) => formatNumber(versions) },
  { header: 'Passages', align: 'end', cell: ({ passages }) => formatNumber(passages) },
  {
    header: 'Size',
    align: 'end',
    cell: ({ bytes }) => <span className="whitespace-nowrap">{formatFileSize(bytes)}</span>,
  },
]

function Channels({ channels, total }: StorageUse) {
  const [showsAll, setShowsAll] = useState(false)
  const used = channels.filter(({ documents, bytes }) => documents > 0 || bytes > 0)
  const shown = showsAll ? used : used.slice(0, initialRowCount)
  return (
    <>
      <p className="text-sm">
        <span className="font-semibold">{formatFileSize(total.bytes)}</span>
        {` in total: ${formatCount(total.documents, 'document')} with ${formatCount(total.passages, 'indexed passage')}.`}
      </p>
      <div className="mt-3 rounded-card border border-hairline">
        <Table
          caption="Disk usage of each channel"
          columns={columns}
          rows={shown}
          getKey={({ channel }) => channel._id}
          empty={<EmptyState icon={HardDrive}>There are no documents yet.</EmptyState>}
        />
      </div>
      {used.length > shown.length && (
        <Button size="small" className="mt-3" onClick={() => setShowsAll(true)}>
          Show all {formatNumber(used.length)} channels
        </Button>
      )}
    </>
  )
}

/** The disk usage of each channel's documents, largest first. Channels without documents are left out. */
export function DiskUsage() {
  const { data, error, refetch } = useQuery(storageQuery())
  if (data !== undefined) return <Channels {...data} />
  if (error === null) {
    return (
      <div role="status">
        <span className="sr-only">Loading the disk usage…</span>
        <Skeleton className="h-48 rounded-card" />
      </div>
    )
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <Banner tone="danger">{messageOf(error, texts.documents.loadStorageFailed)}</Banner>
      <Button onClick={() => void refetch()}>Try again</Button>
    </div>
  )
}
