import { posix } from 'node:path'
import { gap, getLineNumber, isPlanted, type Sources } from './sources.ts'

/** `docs/product.md, "Documents"`; the heading may continue on the next line of a comment. */
const quotedHeading = new RegExp(String.raw`((?:[\w-]+/)*[\w-]+\.md)\x60?,${gap}"([^"]{1,100})"`, 'g')
/** A heading without quotation marks is reported, because nothing marks its end. */
const unquotedHeading = /\bdocs\/[\w-]+\.md, [A-Z][a-z]/g
/** `operations.md#where-data-is-stored`, and `](#rules)` inside a page. */
const anchor = /(?:((?:[\w.-]+\/)*[\w-]+\.md)|\]\()#([\w-]+)/g
const page = /(?<![\w/.-])docs\/[\w/-]+\.md\b/g
const link = /\]\(([\w./-]+\.(?:md|tsx?))[)#]/g
/** The definition of a rule in docs/product.md. */
const definition = /^- \*\*([A-Z]+\d+)\.\*\*/gm
/** `docs/product.md, D4`, `rule D4`, `rules R1 and R2`, and `(D4)` in code. */
const ruleList = String.raw`([A-Z]+\d+(?:(?:, | and | to |–)[A-Z]+\d+)*)`
const citedRules = new RegExp(String.raw`(?:\bproduct\.md,?|\brules?)${gap}${ruleList}\b`, 'gi')
const citedInBrackets = new RegExp(String.raw`\(${ruleList}\)`, 'g')

const rulesPage = 'docs/product.md'

/** Names each reference to a page, heading or rule of the docs that does not exist. */
export function findBrokenReferences(sources: Sources): string[] {
  const headings = new Map(
    [...sources].filter(([path]) => path.endsWith('.md')).map(([path, text]) => [path, listHeadings(text)]),
  )
  const defined = [...(sources.get(rulesPage) ?? '').matchAll(definition)].map(([, id = '']) => id)
  const rules = new Set(defined)
  const prefixes = new Set(defined.map(getPrefix))

  const duplicates = defined.filter((id, at) => defined.indexOf(id) !== at)
  const faults = duplicates.map((id) => `${rulesPage}: rule ${id} is defined twice`)
  for (const [path, text] of sources) {
    if (isPlanted(path)) continue
    function report(offset: number, message: string) {
      faults.push(`${path}:${getLineNumber(text, offset)}: ${message}`)
    }
    for (const { 0: target, index } of text.matchAll(page)) {
      if (!headings.has(target)) report(index, `there is no ${target}`)
    }
    for (const { 1: target = '', index } of text.matchAll(link)) {
      if (path.endsWith('.md') && !sources.has(resolve(path, target))) report(index, `there is no ${target}`)
    }
    for (const { index } of text.matchAll(unquotedHeading)) {
      if (!path.endsWith('.md')) report(index, 'put the heading in quotation marks')
    }
    for (const { 1: target = '', 2: heading = '', index } of text.matchAll(quotedHeading)) {
      const title = heading.replace(new RegExp(gap, 'g'), ' ')
      const titles = findHeadings(headings, path, target)
      if (titles && !titles.includes(title)) report(index, `${target} has no heading "${title}"`)
    }
    for (const { 1: target, 2: slug = '', index } of text.matchAll(anchor)) {
      if (!target && !path.endsWith('.md')) continue
      const titles = findHeadings(headings, path, target ?? posix.basename(path))
      if (titles && !titles.some((title) => createSlug(title) === slug)) {
        report(index, `${target ?? 'this page'} has no heading for #${slug}`)
      }
    }
    for (const { id, offset } of findCitedIds(path, text)) {
      if (prefixes.has(getPrefix(id)) && !rules.has(id)) report(offset, `${rulesPage} has no rule ${id}`)
    }
  }
  return faults
}

function findCitedIds(path: string, text: string): { id: string; offset: number }[] {
  const isCode = /\.(tsx?|mjs)$/.test(path)
  const lists = [...text.matchAll(citedRules), ...(isCode ? text.matchAll(citedInBrackets) : [])]
  return lists.flatMap(({ 1: list = '', index }) =>
    [...list.matchAll(/[A-Z]+\d+/g)].map(([id]) => ({ id, offset: index })),
  )
}

/** Pages are named relative to the root, to docs/ or to the linking page. Undefined for pages of other projects. */
function findHeadings(headings: Map<string, string[]>, from: string, target: string): string[] | undefined {
  return headings.get(resolve(from, target)) ?? headings.get(target) ?? headings.get(`docs/${target}`)
}

function resolve(from: string, target: string): string {
  return posix.join(posix.dirname(from), target)
}

function listHeadings(markdown: string): string[] {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
  return [...prose.matchAll(/^#{1,6} (.+?)[ \t#]*$/gm)].map(([, title = '']) => title)
}

/** GitHub's anchor of a heading. */
function createSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function getPrefix(id: string): string {
  return id.replace(/\d+$/, '')
}
