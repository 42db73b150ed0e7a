import { splitMatches } from '../search/split-matches.ts'

const highlightName = 'search-matches'
const style = `::highlight(${highlightName}) { background-color: var(--mark); color: var(--ink) }`
const highlightMs = 15_000

let isStyled = false
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Marks the words of a search in a message and scrolls to the first one. Uses a highlight instead of elements, because
 * React owns the nodes of the message. Returns false if the browser cannot do that or no word was found.
 */
export function markMatches(message: HTMLElement, words: string): boolean {
  if (!('highlights' in CSS)) return false
  const ranges: Range[] = []
  const nodes = document.createTreeWalker(message, NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    if (node.parentElement?.closest('.sr-only, button, .katex-mathml')) continue
    let offset = 0
    for (const { text, isMatch } of splitMatches(node.nodeValue ?? '', words)) {
      if (isMatch) {
        const range = new Range()
        range.setStart(node, offset)
        range.setEnd(node, offset + text.length)
        ranges.push(range)
      }
      offset += text.length
    }
  }
  const [first] = ranges
  if (first === undefined) return false
  if (!isStyled) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    document.adoptedStyleSheets.push(sheet)
    isStyled = true
  }
  CSS.highlights.set(highlightName, new Highlight(...ranges))
  clearTimeout(timer)
  timer = setTimeout(() => CSS.highlights.delete(highlightName), highlightMs)
  first.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  return true
}
