import { Fragment, type ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  isRowHeader?: boolean
  align?: 'start' | 'end'
  /** Shows no column header beside the cell when rows are stacked. */
  hidesHeader?: boolean
  /** Leaves the column out of a table that is narrower than this. Cards on phones show all columns. */
  hideBelow?: keyof typeof hiddenBelow
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
}

/** Classes that make a row a card below `sm`, with the header of each column beside its cell. */
const style = {
  row: 'max-sm:block max-sm:px-4 max-sm:py-3',
  cell: 'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:py-1 sm:px-4 sm:py-3',
}

const hiddenBelow = {
  md: 'sm:max-md:hidden',
  lg: 'sm:max-lg:hidden',
  xl: 'sm:max-xl:hidden',
}

/** A table whose rows become cards on phones. */
export function Table<Row>(props: Props<Row>) {
  const { caption, columns, rows, getKey, renderDetail, empty } = props
  if (rows.length === 0) return empty
  return (
    <table className={cx('w-full text-left text-sm tabular-nums', 'max-sm:block')}>
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-hairline border-b text-muted text-xs">
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              className={cx(
                'px-4 py-2.5 font-medium',
                column.align === 'end' && 'text-right',
                column.hideBelow && hiddenBelow[column.hideBelow],
              )}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={cx('divide-y divide-hairline', 'max-sm:block')}>
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
                        column.align === 'end' && 'sm:text-right',
                        column.hideBelow && hiddenBelow[column.hideBelow],
                      )}
                    >
                      {!column.hidesHeader && (
                        <span
                          aria-hidden="true"
                          className={cx('shrink-0 font-normal text-muted text-xs', 'sm:hidden')}
                        >
                          {column.header}
                        </span>
                      )}
                      <div className={cx('min-w-0', 'max-sm:ml-auto max-sm:text-right')}>
                        {column.cell(row)}
                      </div>
                    </Cell>
                  )
                })}
              </tr>
              {detail !== null && (
                <tr className={cx('bg-surface', style.row)}>
                  <td colSpan={columns.length} className="max-sm:block sm:px-4 sm:py-3">
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
