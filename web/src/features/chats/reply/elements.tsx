import type { Element, ElementContent } from 'hast'
import type { Components } from 'hast-util-to-jsx-runtime'
import { CitationMark } from './CitationMark.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { Maths } from './Maths.tsx'
import { textOf } from './parse-block.ts'
import { SafeLink } from './SafeLink.tsx'

const classOf = (node: Element | undefined): string =>
  String((node?.properties['className'] as string[])?.[0] ?? '')

const code: Components['code'] = ({ node, children }) => {
  const kind = classOf(node)
  if (node && kind.startsWith('maths-'))
    return <Maths tex={textOf(node)} isDisplay={kind === 'maths-display'} />
  return (
    <code dir="ltr" className="rounded bg-surface-2 px-1 py-0.5 font-mono text-[0.875em] break-words">
      {children}
    </code>
  )
}

const pre: Components['pre'] = ({ node }) => {
  const inner = node?.children.find((child: ElementContent) => child.type === 'element')
  const text = node ? textOf(node).replace(/\n$/, '') : ''
  if (classOf(inner) === 'maths-display') return <Maths tex={text} isDisplay />
  return (
    <CodeBlock
      code={text}
      language={classOf(inner)
        .replace(/^language-/, '')
        .slice(0, 24)}
    />
  )
}

const a: Components['a'] = ({ node, href, id, children, 'aria-label': label }) => {
  // Only footnotes lead to a place in the reply itself.
  if (href?.startsWith('#'))
    return (
      <a id={id} href={href} aria-label={label} onClick={goTo} className="px-0.5 text-link">
        {children}
      </a>
    )
  return (
    <SafeLink href={href} text={node ? textOf(node) : ''}>
      {children}
    </SafeLink>
  )
}

/** Goes to a footnote without touching the address, which belongs to the router. */
const goTo = (event: React.MouseEvent<HTMLAnchorElement>) => {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.scrollIntoView({ block: 'center' })
}

const large = 'pt-2 text-xl leading-7 font-semibold tracking-[-0.01em]'
const medium = 'pt-1 text-lg font-semibold'
const small = 'text-base font-semibold'
const cell = 'border-b border-hairline max-w-80 px-3 py-2 align-top'

/** How each element of a reply looks. Headings start at the third level: the page owns the first two. */
export const elements: Components = {
  a,
  code,
  pre,
  cite: ({ node }) => (
    <CitationMark
      number={Number(node?.properties['dataNumber'])}
      href={typeof node?.properties['dataHref'] === 'string' ? node.properties['dataHref'] : undefined}
    />
  ),
  p: ({ children }) => <p dir="auto">{children}</p>,
  h1: ({ children }) => (
    <h3 dir="auto" className={large}>
      {children}
    </h3>
  ),
  h2: ({ node, id, children }) =>
    classOf(node) === 'sr-only' ? (
      <h4 id={id} className={`${small} text-muted`}>
        {children}
      </h4>
    ) : (
      <h4 dir="auto" className={medium}>
        {children}
      </h4>
    ),
  h3: ({ children }) => (
    <h5 dir="auto" className={small}>
      {children}
    </h5>
  ),
  h4: ({ children }) => (
    <h6 dir="auto" className={small}>
      {children}
    </h6>
  ),
  h5: ({ children }) => (
    <h6 dir="auto" className={small}>
      {children}
    </h6>
  ),
  h6: ({ children }) => (
    <h6 dir="auto" className={small}>
      {children}
    </h6>
  ),
  ul: ({ children }) => (
    <ul dir="auto" className="list-disc space-y-1.5 ps-6 marker:text-muted">
      {children}
    </ul>
  ),
  ol: ({ start, children }) => (
    <ol
      dir="auto"
      start={start}
      className="list-decimal space-y-1.5 ps-7 marker:text-muted marker:tabular-nums"
    >
      {children}
    </ol>
  ),
  li: ({ node, id, children }) => (
    <li id={id} className={`space-y-2 ps-1 ${classOf(node) === 'task-list-item' ? '-ms-6 list-none' : ''}`}>
      {children}
    </li>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? 'Done' : 'Open'} className="me-1.5 inline-block w-4">
      {checked ? '☑' : '☐'}
    </span>
  ),
  blockquote: ({ children }) => (
    <blockquote dir="auto" className="space-y-3 border-s-2 border-control ps-4 text-muted">
      {children}
    </blockquote>
  ),
  hr: () => <hr className="border-hairline" />,
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  table: ({ children }) => (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
      tabIndex={0}
      aria-label="Table"
      className="overflow-x-auto rounded-card border border-hairline"
    >
      <table className="w-max min-w-full border-collapse text-sm tabular-nums [&_tbody_tr:last-child_td]:border-b-0">
        {children}
      </table>
    </section>
  ),
  thead: ({ children }) => <thead className="bg-surface">{children}</thead>,
  th: ({ style, children }) => (
    <th scope="col" dir="auto" style={style} className={`${cell} text-start font-semibold`}>
      {children}
    </th>
  ),
  td: ({ style, children }) => (
    <td dir="auto" style={style} className={`${cell} text-start`}>
      {children}
    </td>
  ),
  section: ({ children }) => (
    <section className="space-y-2 border-t border-hairline pt-3 text-sm">{children}</section>
  ),
}
