import type { UsageChannel } from '@lyceum/contract/analytics'
import { useQuery } from '@tanstack/react-query'
import { Hash } from 'lucide-react'
import { texts } from '#texts/admin.ts'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { coversCard, Table } from '#ui/Table.tsx'
import { ExportButton } from './ExportButton.tsx'
import { figureColumns } from './figure-columns.ts'
import { channelFiguresQuery, type Scope } from './queries.ts'

interface Props {
  scope: Scope
  page: number
  onPage: (page: number) => void
  onChannel: (channelId: string) => void
}

export function ChannelTable({ scope, page, onPage, onChannel }: Props) {
  const channels = useQuery(channelFiguresQuery(scope, page))
  if (channels.isPending) return <RowSkeletons label="Loading the channels…" rows={8} />
  return (
    <PagedTable
      title="Channels"
      list={channels}
      page={page}
      onPage={onPage}
      failedText={texts.analytics.loadFailed}
      toolbar={<ExportButton table="channels" name="channels" scope={scope} />}
    >
      {(rows) => (
        <Table
          caption="Channels"
          columns={[
            {
              header: 'Channel',
              isRowHeader: true,
              hidesHeader: true,
              card: 'title',
              cell: ({ channelId, channelName }: UsageChannel) =>
                channelName === null ? (
                  <span className="text-muted">Deleted channel</span>
                ) : (
                  <button
                    type="button"
                    dir="auto"
                    title={channelName}
                    onClick={() => onChannel(channelId)}
                    className={cx(
                      'rounded-control text-start font-medium text-link hover:underline',
                      coversCard,
                    )}
                  >
                    <span className="wrap-anywhere line-clamp-2">{channelName}</span>
                  </button>
                ),
            },
            {
              header: 'Messages',
              align: 'end',
              card: 'label',
              cell: ({ messages: count }: UsageChannel) => count.toLocaleString(),
            },
            ...figureColumns,
          ]}
          rows={rows}
          getKey={({ channelId }) => channelId}
          empty={<EmptyState icon={Hash}>No questions in this period.</EmptyState>}
        />
      )}
    </PagedTable>
  )
}
