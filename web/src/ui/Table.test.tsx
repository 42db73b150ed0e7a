import { render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type Column, Table } from './Table.tsx'

interface Row {
  id: string
  name: string
  channels: number
}

const columns: Column<Row>[] = [
  { header: 'Name', cell: ({ name }) => name, isRowHeader: true },
  { header: 'Channels', cell: ({ channels }) => channels, align: 'end' },
]
function createTable(rows: Row[]) {
  return (
    <Table
      caption="Users"
      columns={columns}
      rows={rows}
      getKey={({ id }) => id}
      empty={<p>No users found.</p>}
    />
  )
}

describe('Table', () => {
  it('has a caption, column headers and row headers', () => {
    render(createTable([{ id: '1', name: 'Ada', channels: 3 }]))
    const users = screen.getByRole('table', { name: 'Users' })
    expect(
      within(users)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Name', 'Channels'])
    within(users).getByRole('rowheader', { name: /Ada/ })
    expect(within(users).getByRole('cell').textContent).toContain('3')
  })

  it('shows the empty state instead of a table without rows', () => {
    render(createTable([]))
    screen.getByText('No users found.')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('leaves blank cells out of the card and separates the remaining details', () => {
    const cards: Column<Row>[] = [
      { header: 'Name', cell: ({ name }) => name, isRowHeader: true, hidesHeader: true, card: 'title' },
      { header: 'Note', cell: () => '–', card: 'detail', isBlank: () => true },
      { header: 'Channels', cell: ({ channels }) => channels, card: 'detail' },
      { header: 'Chats', cell: () => 7, card: 'detail' },
    ]
    const rows = [{ id: '1', name: 'Ada', channels: 3 }]
    render(<Table caption="Users" columns={cards} rows={rows} getKey={({ id }) => id} empty={null} />)
    const [note, channels, chats] = screen.getAllByRole('cell')
    expect(note?.className).toContain('max-sm:hidden')
    expect(channels?.textContent).toBe('Channels3')
    expect(chats?.textContent).toBe('·Chats7')
    screen.getByRole('rowheader', { name: 'Ada' })
  })
})
