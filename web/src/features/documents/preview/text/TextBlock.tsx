import { Fragment } from 'react'
import { cx } from '#ui/cx.ts'
import { parseTable } from './table-rows.ts'
import type { ShownBlock, TextRange } from './text-blocks.ts'

interface Props {
  block: ShownBlock
  /** The passage to mark. */
  mark: TextRange | null
}

interface MarkedProps {
  text: string
  /** Where the text begins in the document. */
  start: number
  mark: Props['mark']
}

function Marked({ text, start, mark }: MarkedProps) {
  const from = mark === null ? 0 : Math.min(Math.max(mark.start - start, 0), text.length)
  const to = mark === null ? 0 : Math.min(Math.max(mark.end - start, from), text.length)
  if (to <= from || text.slice(from, to).trim() === '') return text
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}

const headings = [
  { Tag: 'h3', style: 'pt-2 text-lg font-semibold' },
  { Tag: 'h4', style: 'pt-1 text-base font-semibold' },
  { Tag: 'h5', style: 'text-sm font-semibold' },
  { Tag: 'h6', style: 'text-sm font-semibold text-muted' },
] as const

function Heading({ block, mark }: Props) {
  const { Tag, style } = headings[Math.min(block.level, headings.length) - 1] ?? headings[0]
  return (
    <Tag dir="auto" className={style}>
      <Marked text={block.text} start={block.start} mark={mark} />
    </Tag>
  )
}

const wrappedLine = { shortest: 45, longest: 120 }

/** Whether the lines end where the page of a text file ended, not where the author began a new line. */
function isHardWrapped(text: string): boolean {
  const lines = text.split('\n').slice(0, -1)
  return lines.every(({ length }) => length >= wrappedLine.shortest && length <= wrappedLine.longest)
}

/** Columns that are aligned with spaces or tabs. */
function isAligned(text: string): boolean {
  return text.includes('\n') && /\S(?: {3,}|\t)\S/.test(text)
}

function Paragraph({ block, mark }: Props) {
  const { text, start } = block
  if (isAligned(text)) return <Preformatted block={block} mark={mark} />
  return (
    <p dir="auto" className={isHardWrapped(text) ? undefined : 'whitespace-pre-wrap'}>
      <Marked text={text} start={start} mark={mark} />
    </p>
  )
}

function Preformatted({ block, mark }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide text is scrolled with the keyboard
    <pre tabIndex={0} className="overflow-x-auto rounded-card bg-surface-2 p-3 font-mono text-sm">
      <Marked text={block.text} start={block.start} mark={mark} />
    </pre>
  )
}

const itemPattern = /^([^\S\n]*)([-*+•‣◦▪–]|\d{1,3}[.)]|[a-z][.)])[^\S\n]+/
const depthStyles = ['', 'ps-6', 'ps-12', 'ps-18']

function readItems(text: string, start: number) {
  const items: { depth: number; marker: string; start: number; text: string }[] = []
  let at = start
  for (const line of text.split('\n')) {
    const match = itemPattern.exec(line)
    const last = items.at(-1)
    if (match)
      items.push({
        depth: Math.min(Math.floor((match[1]?.length ?? 0) / 2), depthStyles.length - 1),
        marker: match[2] ?? '',
        start: at + match[0].length,
        text: line.slice(match[0].length),
      })
    else if (last) last.text += `\n${line}`
    else items.push({ depth: 0, marker: '', start: at, text: line })
    at += line.length + 1
  }
  return items
}

function List({ block, mark }: Props) {
  return (
    <ul className="space-y-1.5">
      {readItems(block.text, block.start).map((item) => (
        <li key={item.start} dir="auto" className={cx('flex gap-2', depthStyles[item.depth])}>
          <span className="min-w-5 shrink-0 text-end text-muted tabular-nums">
            {/^[\da-z]/.test(item.marker) ? item.marker : item.marker && <span aria-hidden="true">•</span>}
          </span>
          <span className="min-w-0">
            <Marked text={item.text} start={item.start} mark={mark} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const cellStyle = 'border-hairline border-b px-3 py-2 text-start align-top'

function Table({ block, mark }: Props) {
  const { labels, rows } = parseTable(block.text, block.start)
  const columns = labels?.length ?? Math.max(...rows.map(({ cells }) => cells.length))
  function show(range: TextRange) {
    return (
      <Marked
        text={block.text.slice(range.start - block.start, range.end - block.start)}
        start={range.start}
        mark={mark}
      />
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-hairline"
    >
      <table dir="auto" className="w-full text-sm tabular-nums">
        {labels && (
          <thead className="bg-surface-2">
            <tr>
              {labels.map((label, column) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a stored text do not change
                  key={column}
                  scope="col"
                  className={cx(cellStyle, 'font-semibold')}
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ cells, isTitle }, index) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a stored text do not change
              key={index}
            >
              {isTitle ? (
                <th colSpan={columns} scope="colgroup" className={cx(cellStyle, 'font-semibold')}>
                  {cells.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: see above
                    <Fragment key={column}>{cell && show(cell)} </Fragment>
                  ))}
                </th>
              ) : (
                cells.map((cell, column) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: see above
                    key={column}
                    colSpan={column === cells.length - 1 ? columns - column : 1}
                    className={cellStyle}
                  >
                    {cell && show(cell)}
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const components = { heading: Heading, paragraph: Paragraph, list: List, table: Table, code: Preformatted }

/** A block of a document's extracted text. */
export function TextBlock(props: Props) {
  const Component = components[props.block.kind]
  return <Component {...props} />
}
