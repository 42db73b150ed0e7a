import { Fragment, type ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  isRowHeader?: boolean
  align?: 'start' | 'end'
  /** Shows no column header beside the cell when rows are stacked. */
  hidesHeader?: boolean
  /** Leaves the column out of a table that is narrower than this. Cards on phones show it. */
  hideBelow?: keyof typeof hiddenBelow
  /** Where a compact card on a phone shows the cell. Tables without a title column stack all their cells. */
  card?: keyof typeof placements
  /** Leaves the cell out of the compact card of a row. */
  isBlank?: (row: Row) => boolean
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
const stacked = {
  row: 'max-sm:block max-sm:px-4 max-sm:py-3',
  cell: 'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:py-1',
  content: 'max-sm:ml-auto max-sm:text-right',
}

/**
 * Classes that make a row a compact card below `sm`. The pseudo-elements break the line after the title and between
 * the two lines of details. A link or button in the card can cover it, because the row is its containing block.
 */
const compact = {
  row: "max-sm:relative max-sm:flex max-sm:flex-wrap max-sm:items-start max-sm:gap-x-1.5 max-sm:px-4 max-sm:py-2.5 max-sm:before:order-2 max-sm:before:basis-full max-sm:before:content-[''] max-sm:after:order-5 max-sm:after:basis-full max-sm:after:content-['']",
  cell: 'max-sm:flex max-sm:min-w-0 max-sm:max-w-full max-sm:items-baseline max-sm:gap-1.5',
  content: '',
}

/** The title line has a title and labels or actions beside it. Below it are a line and two lines of details. */
const placements = {
  title: 'max-sm:order-1 max-sm:flex-1 max-sm:basis-0 max-sm:font-medium sm:relative',
  label: 'max-sm:order-1',
  /** Above a link or button that covers the card or row. */
  actions: 'relative z-1 max-sm:order-1 max-sm:-my-2 max-sm:-mr-2',
  line: 'max-sm:order-3 max-sm:basis-full',
  detail: 'max-sm:order-4 max-sm:text-muted max-sm:text-xs',
  lastDetail: 'max-sm:order-6 max-sm:text-muted max-sm:text-xs',
  none: 'max-sm:hidden',
}

/** Covers the card of a row on a phone, so that a tap anywhere opens what the link or button opens. */
export const coversCard = "max-sm:after:absolute max-sm:after:inset-0 max-sm:after:content-['']"

/**
 * Also covers the row of a wider table, for a link in the title cell. Not every browser can use a row as the containing
 * block. So the cover extends from the cell to both sides, and the table clips it.
 */
export const coversRow = `${coversCard} sm:after:absolute sm:after:inset-y-0 sm:after:-inset-x-[100vw] sm:after:content-['']`

/** Keeps text above a link that covers the row, so that it can be selected. */
export const aboveRowLink = 'sm:relative sm:z-1'

const hiddenBelow = {
  md: 'sm:max-md:hidden',
  lg: 'sm:max-lg:hidden',
  xl: 'sm:max-xl:hidden',
}

interface CellProps<Row> {
  column: Column<Row>
  row: Row
  isCompact: boolean
  /** On a phone, a dot separates the cell from the one before it on the same line. */
  isSeparated: boolean
}

function TableCell<Row>({ column, row, isCompact, isSeparated }: CellProps<Row>) {
  const { header, isRowHeader, hidesHeader, align, hideBelow, card = 'none', cell } = column
  const Cell = isRowHeader ? 'th' : 'td'
  const style = isCompact ? compact : stacked
  const isBlank = isCompact && column.isBlank?.(row) === true
  return (
    <Cell
      scope={isRowHeader ? 'row' : undefined}
      className={cx(
        'align-middle sm:px-3 sm:py-3 md:px-4',
        style.cell,
        isCompact && placements[isBlank ? 'none' : card],
        isRowHeader && (isCompact ? 'font-normal sm:font-medium' : 'font-medium'),
        align === 'end' && 'sm:text-right',
        hideBelow && hiddenBelow[hideBelow],
      )}
    >
      {isSeparated && (
        <span aria-hidden="true" className="sm:hidden">
          ·
        </span>
      )}
      {!hidesHeader && (
        <span aria-hidden="true" className="shrink-0 font-normal text-muted text-xs sm:hidden">
          {header}
        </span>
      )}
      <div className={cx('min-w-0', style.content, isCompact && card === 'line' && 'max-sm:flex-1')}>
        {cell(row)}
      </div>
    </Cell>
  )
}

interface RowProps<Row> {
  columns: readonly Column<Row>[]
  row: Row
  isCompact: boolean
}

function TableRow<Row>({ columns, row, isCompact }: RowProps<Row>) {
  const usedPlacements = new Set<Column<Row>['card']>()
  return (
    <tr className={isCompact ? compact.row : stacked.row}>
      {columns.map((column) => {
        const { card, header } = column
        const isDetail = isCompact && (card === 'detail' || card === 'lastDetail') && !column.isBlank?.(row)
        const isSeparated = isDetail && usedPlacements.has(card)
        if (isDetail) usedPlacements.add(card)
        return (
          <TableCell key={header} column={column} row={row} isCompact={isCompact} isSeparated={isSeparated} />
        )
      })}
    </tr>
  )
}

/** A table whose rows become cards on phones. */
export function Table<Row>(props: Props<Row>) {
  const { caption, columns, rows, getKey, renderDetail, empty } = props
  if (rows.length === 0) return empty
  const isCompact = columns.some(({ card }) => card === 'title')
  return (
    <div className="overflow-x-clip">
      <table className={cx('w-full text-left text-sm tabular-nums', 'max-sm:block')}>
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-hairline border-b text-muted text-xs">
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={cx(
                  'px-3 py-2.5 font-medium md:px-4',
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
                <TableRow columns={columns} row={row} isCompact={isCompact} />
                {detail !== null && (
                  <tr className={cx('bg-surface', stacked.row)}>
                    <td colSpan={columns.length} className="max-sm:block sm:px-3 sm:py-3 md:px-4">
                      {detail}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
