import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** The name of the row, read with each of its cells. */
  isRowHeader?: boolean
  align?: 'start' | 'end'
}

interface Props<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Shown instead of the table. */
  empty: ReactNode
}

const cellStyle =
  'align-middle max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:py-1 sm:px-4 sm:py-3'

/** A table that becomes one stacked card a row below 640 px. */
export const Table = <Row,>({ caption, columns, rows, keyOf, empty }: Props<Row>) => {
  if (rows.length === 0) return empty
  return (
    <table className="w-full text-left text-sm tabular-nums max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-hairline border-b text-muted text-xs">
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              className={cx('px-4 py-2.5 font-medium', column.align === 'end' && 'text-right')}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-hairline max-sm:block">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="max-sm:block max-sm:px-4 max-sm:py-3">
            {columns.map((column) => {
              const Cell = column.isRowHeader ? 'th' : 'td'
              return (
                <Cell
                  key={column.header}
                  scope={column.isRowHeader ? 'row' : undefined}
                  className={cx(
                    cellStyle,
                    column.isRowHeader && 'font-medium',
                    column.align === 'end' && 'sm:text-right',
                  )}
                >
                  <span aria-hidden="true" className="shrink-0 font-normal text-muted text-xs sm:hidden">
                    {column.header}
                  </span>
                  <div className="min-w-0 max-sm:text-right">{column.cell(row)}</div>
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
