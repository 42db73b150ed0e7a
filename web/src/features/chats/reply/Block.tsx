import type { RootContent } from 'hast'
import { createElement, memo, type ReactNode } from 'react'
import { elementShow } from './elements.tsx'
import { parseBlock } from './parse-block.ts'

/** One piece of a reply. It renders again only when its own text changes. */
export const Block = memo(({ text, prefix }: { text: string; prefix: string }) => renderBlock(text, prefix))

function renderBlock(text: string, prefix: string): ReactNode {
  try {
    return parseBlock(text, prefix).children.map(toReact)
  } catch {
    // Too deep or too dense to be parsed: the words are still worth reading.
    return (
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
    )
  }
}

// React has no room for the line breaks between rows.
const rowsOnly = new Set(['table', 'thead', 'tbody', 'tr'])

/** Our own elements for a tree that is already clean; of an element without one only the content shows. */
function toReact(node: RootContent, key: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const { tagName } = node
  const inside = rowsOnly.has(tagName)
    ? node.children.filter(({ type }) => type === 'element')
    : node.children
  const children = inside.map(toReact)
  const show = elementShow(tagName)
  return show ? createElement(show, { key, node }, ...children) : children
}
