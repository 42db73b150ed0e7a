import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'

interface Summary {
  chatCount: number
  messageCount: number
  lastActivityAt: string | null
}

interface Props<Row extends Summary> {
  caption: string
  /** The header of the first column. */
  header: string
  rows: readonly Row[]
  cell: (row: Row) => ReactNode
  nameOf: (row: Row) => string
  /** Undefined for deleted users and channels, whose chats cannot be listed. */
  idOf: (row: Row) => string | undefined
  onShow: (id: string) => void
}

/** The number of chats and messages per user or channel. Each row links to its chats. */
export function SummaryTable<Row extends Summary>(props: Props<Row>) {
  const { caption, header, rows, cell, nameOf, idOf, onShow } = props
  const columns: Column<Row>[] = [
    { header, isRowHeader: true, hidesHeader: true, card: 'title', cell },
    { header: 'Chats', align: 'end', card: 'detail', cell: ({ chatCount }) => chatCount.toLocaleString() },
    {
      header: 'Messages',
      align: 'end',
      card: 'detail',
      cell: ({ messageCount }) => messageCount.toLocaleString(),
    },
    {
      header: 'Last activity',
      card: 'lastDetail',
      cell: ({ lastActivityAt: at }) => (at === null ? 'None' : <Timestamp at={at} />),
    },
    {
      header: 'Show',
      hidesHeader: true,
      align: 'end',
      card: 'actions',
      cell: (row) => {
        const id = idOf(row)
        return (
          id !== undefined && (
            <Button
              size="small"
              className="whitespace-nowrap"
              aria-label={`Show chats of ${nameOf(row)}`}
              onClick={() => onShow(id)}
            >
              Show chats
            </Button>
          )
        )
      },
    },
  ]
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={rows}
      getKey={(row) => idOf(row) ?? nameOf(row)}
      empty={
        <EmptyState icon={MessagesSquare} hint="Chats appear here once users start them.">
          There are no chats yet.
        </EmptyState>
      }
    />
  )
}
