import type { Nodes } from 'hast'

// Hebrew, Arabic and the scripts around them, and those of the upper planes.
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const words = /\p{L}[\p{L}\p{M}]*/gu

/** So much decides, which also keeps what grows from turning round. */
const longestLook = 300
/** A sentence in Arabic may well have more Latin names in it than that leaves room for other words. */
const enoughWords = 0.4

/**
 * Which way a text runs, by its words and not by its first one: that may be a name in another script. Without any word
 * it runs as what is around it.
 */
export function directionOf(text: string): 'rtl' | 'ltr' | undefined {
  const found = text.slice(0, longestLook).match(words)
  if (found === null) return undefined
  const turned = found.filter((word) => rightToLeft.test(word)).length
  return turned >= found.length * enoughWords ? 'rtl' : 'ltr'
}

/** The same of a part of a reply. Code says nothing about the language it stands in. */
export function directionIn(node: Nodes): 'rtl' | 'ltr' | undefined {
  return directionOf(proseOf(node, longestLook))
}

function proseOf(node: Nodes, most: number): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || (node.type === 'element' && node.tagName === 'code')) return ' '
  let prose = ''
  for (const child of node.children) {
    if (prose.length >= most) return prose
    prose += proseOf(child, most - prose.length)
  }
  return prose
}
