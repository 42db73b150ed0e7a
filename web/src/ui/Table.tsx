import { Fragment, type ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  isRowHeader?: boolean
  align?: 'start' | 'end'
  /** Shows no column header beside the cell when rows are stacked. */
  hidesHeader?: boolean
}

interface Props<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  getKey: (row: Row) => string
  /** Content below a row across its full width; null for none. */
  renderDetail?: (row: Row) => ReactNode
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode
  /** The breakpoint below which rows are stacked. Use 'lg' for tables with many columns. */
  stackBelow?: keyof typeof styles
}

const styles = {
  sm: {
    table: 'max-sm:block',
    head: 'max-sm:sr-only',
    body: 'max-sm:block',
    row: 'max-sm:block max-sm:px-4 max-sm:py-3',
    cell: 'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:py-1 sm:px-4 sm:py-3',
    end: 'sm:text-right',
    header: 'sm:hidden',
    content: 'max-sm:ml-auto max-sm:text-right',
    detail: 'max-sm:block sm:px-4 sm:py-3',
  },
  lg: {
    table: 'max-lg:block',
    head: 'max-lg:sr-only',
    body: 'max-lg:block',
    row: 'max-lg:block max-lg:px-4 max-lg:py-3',
    cell: 'max-lg:flex max-lg:items-baseline max-lg:justify-between max-lg:gap-4 max-lg:py-1 lg:px-4 lg:py-3',
    end: 'lg:text-right',
    header: 'lg:hidden',
    content: 'max-lg:ml-auto max-lg:text-right',
    detail: 'max-lg:block lg:px-4 lg:py-3',
  },
}

/** A table whose rows become stacked cards on narrow screens. */
export function Table<Row>(props: Props<Row>) {
  const { caption, columns, rows, getKey, renderDetail, empty, stackBelow = 'sm' } = props
  const style = styles[stackBelow]
  if (rows.length === 0) return empty
  return (
    <table className={cx('w-full text-left text-sm tabular-nums', style.table)}>
      <caption className="sr-only">{caption}</caption>
      <thead className={style.head}>
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
      <tbody className={cx('divide-y divide-hairline', style.body)}>
        {rows.map((row) => {
          const detail = renderDetail?.(row) ?? null
          return (
            <Fragment key={getKey(row)}>
              <tr className={style.row}>
                {columns.map((column) => {
                  const Cell = column.isRowHeader ? 'th' : 'td'
                  return (
                    <Cell
                      key={column.header}
                      scope={column.isRowHeader ? 'row' : undefined}
                      className={cx(
                        'align-middle',
                        style.cell,
                        column.isRowHeader && 'font-medium',
                        column.align === 'end' && style.end,
                      )}
                    >
                      {!column.hidesHeader && (
                        <span
                          aria-hidden="true"
                          className={cx('shrink-0 font-normal text-muted text-xs', style.header)}
                        >
                          {column.header}
                        </span>
                      )}
                      <div className={cx('min-w-0', style.content)}>{column.cell(row)}</div>
                    </Cell>
                  )
                })}
              </tr>
              {detail !== null && (
                <tr className={cx('bg-surface', style.row)}>
                  <td colSpan={columns.length} className={style.detail}>
                    {detail}
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}
