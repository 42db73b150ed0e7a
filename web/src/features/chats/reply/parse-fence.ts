export interface Fence {
  language: string
  code: string
}

const opening = /^(?<marker>`{3,}|~{3,})[ \t]*(?<info>[^\n]*)/

/**
 * Reads a block that is nothing but fenced code, or returns null. Code is often long and has no marks, so that its
 * block needs no parser: while it grows, it is parsed again with every batch of text.
 */
export function parseFence(block: string): Fence | null {
  const match = opening.exec(block)
  const marker = match?.groups?.['marker']
  const info = match?.groups?.['info'] ?? ''
  if (!match || !marker || (marker.startsWith('`') && info.includes('`'))) return null
  const from = match[0].length
  const closing = new RegExp(`\\n {0,3}${marker[0]}{${marker.length},}[ \\t]*(?:\\n|$)`, 'g')
  closing.lastIndex = from
  const end = closing.exec(block)
  if (end !== null && block.slice(closing.lastIndex).trim() !== '') return null
  return { language: info.split(/[ \t]/, 1)[0] ?? '', code: block.slice(from + 1, end?.index) }
}
