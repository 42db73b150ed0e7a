import { stripInvisible } from '@lyceum/contract/invisible-text'
import type { RootContent } from 'hast'
import { createElement, memo, type ReactNode } from 'react'
import { componentFor } from './elements.tsx'
import { parseBlock } from './parse-block.ts'

interface Props {
  text: string
  isPlain: boolean
  prefix: string
}

/** One block of a reply. It renders again only when its own text changes. */
export const Block = memo(({ text, isPlain, prefix }: Props) => {
  if (isPlain) return <PlainText text={text} />
  try {
    return parseBlock(text, prefix).children.map(toReact)
  } catch {
    // Nested so deeply that the stack overflowed.
    return <PlainText text={text} />
  }
})

function PlainText({ text }: { text: string }) {
  return (
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {stripInvisible(text)}
    </p>
  )
}

// React rejects the whitespace between table rows.
const rowsOnly = new Set(['table', 'thead', 'tbody', 'tr'])

/** Renders a sanitized tree with our own components. An element without a component is replaced by its content. */
function toReact(node: RootContent, key: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const { tagName } = node
  const childNodes = rowsOnly.has(tagName)
    ? node.children.filter(({ type }) => type === 'element')
    : node.children
  const children = childNodes.map(toReact)
  const component = componentFor(tagName)
  return component ? createElement(component, { key, node }, ...children) : children
}
