import type { DefaultTreeAdapterTypes } from 'parse5'
import { parseFragment } from 'parse5'
import { cleanLine } from './clean-text.ts'
import { formatTableRows } from './table-rows.ts'
import type { TextBuilder } from './text-builder.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

function isElement(node: Node): node is Element {
  return 'tagName' in node
}
function getAttribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value
}

/** Skips footnote marks, which look like our citations, and pictures. */
function isSkipped(element: Element): boolean {
  if (element.tagName === 'img') return true
  return element.tagName === 'a' && /^#(?:foot|end)note-/.test(getAttribute(element, 'href') ?? '')
}

function readRawText(nodes: readonly Node[]): string {
  let text = ''
  for (const node of nodes) {
    if (node.nodeName === '#text' && 'value' in node) text += node.value
    else if (isElement(node) && !isSkipped(node)) {
      text += node.tagName === 'br' ? '\n' : readRawText(node.childNodes)
      if (/^(?:p|li|td|th|h[1-6])$/.test(node.tagName)) text += '\n'
    }
  }
  return text
}

function readLine(nodes: readonly Node[]): string {
  return cleanLine(readRawText(nodes))
}
function readLines(nodes: readonly Node[]): string {
  return readRawText(nodes).split('\n').map(cleanLine).filter(Boolean).join('\n')
}

function formatListLines(list: Element, depth = 0): string[] {
  const lines: string[] = []
  let number = 1
  for (const item of list.childNodes.filter(isElement)) {
    const nested = item.childNodes.filter(isElement).filter((child) => /^(?:ul|ol)$/.test(child.tagName))
    const own = item.childNodes.filter((child) => !isElement(child) || !nested.includes(child))
    const mark = list.tagName === 'ol' ? `${number++}.` : '-'
    const text = readLine(own)
    if (text) lines.push(`${'  '.repeat(depth)}${mark} ${text}`)
    for (const inner of nested) lines.push(...formatListLines(inner, depth + 1))
  }
  return lines
}

function readRows(parent: Element): Element[] {
  return parent.childNodes
    .filter(isElement)
    .flatMap((child) =>
      child.tagName === 'tr' ? [child] : /^t(?:head|body|foot)$/.test(child.tagName) ? readRows(child) : [],
    )
}

function readCells(row: Element): string[] {
  return row.childNodes.filter(isElement).flatMap((cell) => {
    const span = Math.min(Math.max(Number(getAttribute(cell, 'colspan') ?? 1) || 1, 1), 50)
    return [readLine(cell.childNodes), ...Array<string>(span - 1).fill('')]
  })
}

function addTable(builder: TextBuilder, table: Element): void {
  const rows = readRows(table)
  const hasHeader = table.childNodes.some((child) => isElement(child) && child.tagName === 'thead')
  const cells = rows.map(readCells)
  // A table with one cell is only a frame around text.
  if (cells.length === 1 && cells[0]?.length === 1)
    addNodes(builder, rows[0]?.childNodes.filter(isElement)[0]?.childNodes ?? [])
  else builder.add('table', (hasHeader ? formatTableRows(cells, true) : formatTableRows(cells)).join('\n'))
}

function addNodes(builder: TextBuilder, nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (!isElement(node)) continue
    const level = /^h([1-6])$/.exec(node.tagName)?.[1]
    if (level) builder.addHeading(Number(level), readLine(node.childNodes))
    else if (node.tagName === 'table') addTable(builder, node)
    else if (/^(?:ul|ol)$/.test(node.tagName)) builder.add('list', formatListLines(node).join('\n'))
    else if (node.tagName === 'pre') builder.add('code', readRawText(node.childNodes))
    else if (node.tagName === 'p') builder.add('paragraph', readLines(node.childNodes))
    else addNodes(builder, node.childNodes)
  }
}

/** Adds the blocks of an HTML fragment. The HTML is never displayed. */
export function addHtml(builder: TextBuilder, html: string): void {
  addNodes(builder, parseFragment(html).childNodes)
}
