import type { Element } from 'hast'
import type { MouseEvent, ReactNode } from 'react'
import { CitationMark } from './CitationMark.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { detectNodeDirection } from './direction.ts'
import { Maths } from './Maths.tsx'
import { textOf } from './parse-block.ts'
import { SafeLink } from './SafeLink.tsx'
import { TableBlock } from './TableBlock.tsx'

type ElementComponent = (props: { node: Element; children?: ReactNode }) => ReactNode

function getFirstClass(node: Element | undefined): string {
  return String((node?.properties['className'] as string[])?.[0] ?? '')
}

function getTextProperty(node: Element, name: string): string | undefined {
  const value = node.properties[name]
  return typeof value === 'string' ? value : undefined
}

const code: ElementComponent = ({ node, children }) => {
  const kind = getFirstClass(node)
  if (kind.startsWith('maths-')) return <Maths tex={textOf(node)} isDisplay={kind === 'maths-display'} />
  return (
    <code
      dir="ltr"
      translate="no"
      className="rounded bg-surface-2 px-1 py-0.5 font-mono text-[0.875em] break-words"
    >
      {children}
    </code>
  )
}

const pre: ElementComponent = ({ node }) => {
  const inner = node.children.find((child) => child.type === 'element')
  const text = textOf(node).replace(/\n$/, '')
  if (getFirstClass(inner) === 'maths-display') return <Maths tex={text} isDisplay />
  const language = getFirstClass(inner).replace(/^language-/, '')
  return <CodeBlock code={text} language={language.slice(0, 24)} />
}

const a: ElementComponent = ({ node, children }) => {
  const href = getTextProperty(node, 'href')
  // Only footnotes link within a reply.
  if (href?.startsWith('#'))
    return (
      <a
        id={getTextProperty(node, 'id')}
        href={href}
        aria-label={getTextProperty(node, 'ariaLabel')}
        onClick={scrollToFootnote}
        className="px-0.5 text-link underline underline-offset-2"
      >
        {children}
      </a>
    )
  return (
    <SafeLink href={href} text={textOf(node)}>
      {children}
    </SafeLink>
  )
}

/** Scrolls to a footnote without changing the URL, which belongs to the router. */
function scrollToFootnote(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.scrollIntoView({ block: 'center' })
}

const large = 'pt-2 text-xl leading-7 font-semibold tracking-[-0.01em]'
const medium = 'pt-1 text-lg font-semibold'
const small = 'text-base font-semibold'
const cell = 'border-b border-hairline max-w-80 px-3 py-2 align-top'

function getAlignClass(node: Element): string {
  const align = node.properties['align']
  return align === 'center' ? 'text-center' : align === 'right' ? 'text-right' : 'text-start'
}

function countColumns(table: Element): number {
  let row: Element | undefined = table
  while (row && row.tagName !== 'tr') row = row.children.find((child) => child.type === 'element')
  return row?.children.filter(({ type }) => type === 'element').length ?? 0
}

/** Keeps a column of sentences from being squeezed to the width of a word. */
function getWidthClass(node: Element): string {
  const { length } = textOf(node)
  return length > 40 ? 'min-w-48' : length > 12 ? 'min-w-28' : ''
}

/** The components of a reply's elements. Headings start at level 3, because the page uses levels 1 and 2. */
const elements: Record<string, ElementComponent> = {
  a,
  code,
  pre,
  cite: ({ node }) => (
    <CitationMark number={Number(node.properties['dataNumber'])} href={getTextProperty(node, 'dataHref')} />
  ),
  p: ({ node, children }) => <p dir={detectNodeDirection(node)}>{children}</p>,
  h1: ({ node, children }) => (
    <h3 dir={detectNodeDirection(node)} className={large}>
      {children}
    </h3>
  ),
  h2: ({ node, children }) =>
    getFirstClass(node) === 'sr-only' ? (
      <h4 id={getTextProperty(node, 'id')} className={`${small} text-muted`}>
        {children}
      </h4>
    ) : (
      <h4 dir={detectNodeDirection(node)} className={medium}>
        {children}
      </h4>
    ),
  h3: ({ node, children }) => (
    <h5 dir={detectNodeDirection(node)} className={small}>
      {children}
    </h5>
  ),
  h4: ({ node, children }) => (
    <h6 dir={detectNodeDirection(node)} className={small}>
      {children}
    </h6>
  ),
  h5: ({ node, children }) => (
    <h6 dir={detectNodeDirection(node)} className={small}>
      {children}
    </h6>
  ),
  h6: ({ node, children }) => (
    <h6 dir={detectNodeDirection(node)} className={small}>
      {children}
    </h6>
  ),
  ul: ({ node, children }) => (
    <ul dir={detectNodeDirection(node)} className="list-disc space-y-1.5 ps-6 marker:text-muted">
      {children}
    </ul>
  ),
  ol: ({ node, children }) => (
    <ol
      dir={detectNodeDirection(node)}
      start={typeof node.properties['start'] === 'number' ? node.properties['start'] : undefined}
      className="list-decimal space-y-1.5 ps-7 marker:text-muted marker:tabular-nums"
    >
      {children}
    </ol>
  ),
  li: ({ node, children }) => (
    <li
      id={getTextProperty(node, 'id')}
      className={`space-y-2 ps-1 ${getFirstClass(node) === 'task-list-item' ? '-ms-6 list-none' : ''}`}
    >
      {children}
    </li>
  ),
  input: ({ node }) => (
    <span
      role="img"
      aria-label={node.properties['checked'] ? 'Done' : 'Not done'}
      className="me-1.5 inline-block w-4"
    >
      {node.properties['checked'] ? '☑' : '☐'}
    </span>
  ),
  blockquote: ({ node, children }) => (
    <blockquote
      dir={detectNodeDirection(node)}
      className="space-y-3 border-s-2 border-control ps-4 text-muted"
    >
      {children}
    </blockquote>
  ),
  br: () => <br />,
  hr: () => <hr className="border-hairline" />,
  em: ({ children }) => <em>{children}</em>,
  del: ({ children }) => <del>{children}</del>,
  sup: ({ children }) => <sup>{children}</sup>,
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  table: ({ node, children }) => (
    <TableBlock direction={detectNodeDirection(node)} columns={countColumns(node)}>
      {children}
    </TableBlock>
  ),
  thead: ({ children }) => <thead className="bg-surface">{children}</thead>,
  tbody: ({ children }) => <tbody>{children}</tbody>,
  tr: ({ children }) => <tr>{children}</tr>,
  th: ({ node, children }) =>
    // A header without a name would only be announced as one.
    node.children.length === 0 ? (
      <td className={cell} />
    ) : (
      <th scope="col" className={`${cell} ${getAlignClass(node)} font-semibold`}>
        {/* Wraps, so that a long label does not widen its column. */}
        <bdi className="block w-min min-w-full">{children}</bdi>
      </th>
    ),
  td: ({ node, children }) => (
    <td className={`${cell} ${getAlignClass(node)} ${getWidthClass(node)}`}>
      <bdi>{children}</bdi>
    </td>
  ),
  section: ({ children }) => (
    <section className="space-y-2 border-t border-hairline pt-3 text-sm">{children}</section>
  ),
}

/** Returns the component of an element, or undefined if replies must not contain it. */
export function componentFor(tagName: string): ElementComponent | undefined {
  return Object.hasOwn(elements, tagName) ? elements[tagName] : undefined
}
