import { stripInvisible } from '@lyceum/contract/invisible-text'
import type { Element, ElementContent, Nodes, Root, Text } from 'hast'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import type { Handlers } from 'mdast-util-to-hast'
import { defaultHandlers, toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { extractFormulas, type Formula, formulaMark, restoreFormulas } from './maths.ts'
import { parseFence } from './parse-fence.ts'
import { scanSpans } from './spans.ts'

// Deeper nesting is treated as an attack, and its content is shown as plain text.
const maxDepth = 60

const schema: Schema = {
  ...defaultSchema,
  tagNames: [
    ...[
      'a',
      'blockquote',
      'br',
      'cite',
      'code',
      'del',
      'em',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'input',
    ],
    ...[
      'li',
      'ol',
      'p',
      'pre',
      'section',
      'strong',
      'sup',
      'table',
      'tbody',
      'td',
      'th',
      'thead',
      'tr',
      'ul',
    ],
  ],
  attributes: {
    a: ['href', 'id', 'ariaLabel'],
    cite: ['dataNumber', 'dataHref'],
    code: [['className', /^language-./, 'maths-inline', 'maths-display']],
    h2: [['className', 'sr-only'], 'id'],
    input: ['checked', ['disabled', true], ['type', 'checkbox']],
    li: ['id', ['className', 'task-list-item']],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
  },
  protocols: { href: ['http', 'https', 'mailto'], dataHref: ['http', 'https', 'mailto'] },
}

// Raw HTML is disabled: tags are plain text. Addresses are found in the finished text by `gfmFromMarkdown`: the syntax
// for them goes back to the last open bracket from each letter and digit, which takes minutes for a hostile reply.
const disabled = ['htmlFlow', 'htmlText', 'wwwAutolink', 'protocolAutolink', 'emailAutolink']
const extensions = [gfm({ singleTilde: false }), { disable: { null: disabled } }]
const mdastExtensions = [gfmFromMarkdown()]

const handlers: Handlers = {
  image: (_state, node: { alt?: string | null }): Text => ({ type: 'text', value: node.alt || '(image)' }),
  imageReference: (_state, node: { alt?: string | null }): Text => ({
    type: 'text',
    value: node.alt || '(image)',
  }),
  html: (_state, node: { value: string }): Text => ({ type: 'text', value: node.value }),
  // A bare `[2]` is a citation even if the reply defines a link reference for it.
  linkReference: (state, node, parent) => {
    const link = defaultHandlers.linkReference(state, node)
    const isCitation = node.referenceType === 'shortcut' && /^\d{1,3}$/.test(node.label ?? '')
    if (!isCitation || Array.isArray(link) || link.type !== 'element' || parent?.type === 'link') return link
    return citationElement(node.label, link.properties['href'])
  },
}

/** A single line without Markdown syntax, the most common block, needs no parser. */
const plainLine = /^\p{L}[^\n\r\\`*_~[\]<>&$@|]*$/u
const address = /:\/\/|www\./i

function parsePlainLine(block: string): Root | null {
  const text = block.trimEnd()
  if (!plainLine.test(text) || address.test(text)) return null
  return { type: 'root', children: [element('p', {}, stripInvisible(text))] }
}

function parseCode(block: string): Root | null {
  const fence = parseFence(block)
  if (fence === null) return null
  const className = fence.language === '' ? [] : [`language-${fence.language}`]
  const code = refineCode(element('code', { className }, fence.code), [])
  return { type: 'root', children: [{ type: 'element', tagName: 'pre', properties: {}, children: [code] }] }
}

/** Parses a block into a sanitized tree. `prefix` makes ids unique per reply. */
export function parseBlock(block: string, prefix: string): Root {
  const simple = parsePlainLine(block) ?? parseCode(block)
  if (simple !== null) return simple
  const spans = scanSpans(block)
  const { text, formulas } = extractFormulas(block, spans)
  const markdown = fromMarkdown(text, { extensions, mdastExtensions })
  const tree = toHast(markdown, { handlers, clobberPrefix: prefix, footnoteLabelTagName: 'h2' })
  const root: Root = tree.type === 'root' ? tree : { type: 'root', children: [tree as ElementContent] }
  root.children = root.children.flatMap((child) =>
    refine(child as ElementContent, { formulas, depth: 0, inLink: false }),
  )
  return sanitize(root, { ...schema, clobber: [], clobberPrefix: prefix }) as Root
}

interface RefineContext {
  formulas: Formula[]
  depth: number
  inLink: boolean
}

function refine(node: ElementContent, context: RefineContext): ElementContent[] {
  if (context.depth > maxDepth) return refineText(textOf(node), context)
  if (node.type === 'text') return refineText(node.value, context)
  if (node.type !== 'element') return []
  if (node.tagName === 'code') return [refineCode(node, context.formulas)]
  const href = node.properties['href']
  if (typeof href === 'string') node.properties['href'] = restoreFormulas(href, context.formulas)
  const childContext = {
    ...context,
    depth: context.depth + 1,
    inLink: context.inLink || node.tagName === 'a',
  }
  node.children = node.children.flatMap((child, index) =>
    refine(isPartOfAddress(child, node.children[index - 1]) ? textNode(textOf(child)) : child, childContext),
  )
  return [node]
}

/** Whether a node is the end of `https://name:password@host`, which is not a link but looks like an email address. */
function isPartOfAddress(node: ElementContent, before: ElementContent | undefined): boolean {
  if (node.type !== 'element' || before?.type !== 'text') return false
  return String(node.properties['href']).startsWith('mailto:') && /:\/\/\S{0,200}$/.test(before.value)
}

function textNode(value: string): Text {
  return { type: 'text', value }
}

function refineCode(code: Element, formulas: Formula[]): Element {
  const value = stripInvisible(restoreFormulas(textOf(code), formulas))
  const language = String((code.properties['className'] as string[] | undefined)?.[0] ?? '').toLowerCase()
  const className = language === 'language-math' ? ['maths-display'] : code.properties['className']
  return { ...code, properties: className ? { className } : {}, children: [textNode(value)] }
}

/** Splits text at formulas, citations and `<br>` tags, which models write in tables. */
function refineText(value: string, context: RefineContext): ElementContent[] {
  const pieces = new RegExp(`${formulaMark.source}|\\[(\\d{1,3})\\]|<br\\s*/?>`, 'gi')
  const nodes: ElementContent[] = []
  let at = 0
  function addText(end: number) {
    const text = stripInvisible(value.slice(at, end).replace(formulaMark, ''))
    if (text !== '') nodes.push(textNode(text))
  }
  for (const match of value.matchAll(pieces)) {
    if (match[2] !== undefined && context.inLink) continue
    addText(match.index)
    at = match.index + match[0].length
    const formula = match[1] === undefined ? undefined : context.formulas[Number(match[1])]
    if (formula) nodes.push(formulaElement(formula))
    else if (match[2] !== undefined) nodes.push(citationElement(match[2], undefined))
    else if (match[1] === undefined) nodes.push(element('br', {}, ''))
  }
  addText(value.length)
  return nodes
}

function element(tagName: string, properties: Element['properties'], text: string): Element {
  return {
    type: 'element',
    tagName,
    properties,
    children: text === '' ? [] : [textNode(text)],
  }
}

function formulaElement({ tex, isDisplay }: Formula): Element {
  return element('code', { className: [isDisplay ? 'maths-display' : 'maths-inline'] }, stripInvisible(tex))
}

function citationElement(number: string, href: unknown): Element {
  return element(
    'cite',
    { dataNumber: number, ...(typeof href === 'string' ? { dataHref: href } : {}) },
    `[${number}]`,
  )
}

/** The text of a node and its descendants. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
