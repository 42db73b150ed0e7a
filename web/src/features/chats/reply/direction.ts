import type { Nodes } from 'hast'

// Hebrew, Arabic, the scripts in neighboring blocks, and those in the supplementary planes.
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const words = /\p{L}[\p{L}\p{M}]*/gu

/** Only the beginning decides, so that growing text does not change its direction. */
const maxChars = 300
/** Below one half, because a sentence in Arabic often contains Latin names. */
const minRtlShare = 0.4

/**
 * Detects the direction of a text from all its words, because the first one may be a name in another script.
 * Returns undefined for a text without words, which then inherits the direction.
 */
export function detectDirection(text: string): 'rtl' | 'ltr' | undefined {
  const found = text.slice(0, maxChars).match(words)
  if (found === null) return undefined
  const rtlCount = found.filter((word) => rightToLeft.test(word)).length
  return rtlCount >= found.length * minRtlShare ? 'rtl' : 'ltr'
}

/** The direction of a part of a reply. Code is ignored. */
export function detectNodeDirection(node: Nodes): 'rtl' | 'ltr' | undefined {
  return detectDirection(textOf(node, maxChars))
}

function textOf(node: Nodes, limit: number): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || (node.type === 'element' && node.tagName === 'code')) return ' '
  let text = ''
  for (const child of node.children) {
    if (text.length >= limit) return text
    text += textOf(child, limit - text.length)
  }
  return text
}
