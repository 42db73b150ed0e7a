/** A range of a page's text: piece index and UTF-16 offset within the piece. */
interface QuoteRange {
  from: { piece: number; offset: number }
  to: { piece: number; offset: number }
}

interface Letters {
  text: string
  positions: { piece: number; start: number; end: number }[]
}

// Shorter matches are probably coincidental.
const minAnchorLength = 24

/**
 * Finds a quote in the text pieces of a PDF page. Compares only letters and digits, so that line breaks, hyphenation,
 * ligatures and quotation marks do not matter. If the quote spans two pages, finds the part on this page.
 */
export function findQuote(pieces: readonly string[], quote: string): QuoteRange | null {
  const page = extractLetters(pieces)
  const wanted = extractLetters([quote]).text
  if (wanted === '') return null
  const found = findRange(page.text, wanted)
  const first = found && page.positions[found.start]
  const last = found && page.positions[found.end - 1]
  if (!first || !last) return null
  return { from: { piece: first.piece, offset: first.start }, to: { piece: last.piece, offset: last.end } }
}

/** Wraps a range of a page's text elements in `mark` elements and returns the first of them. */
export function markQuote(elements: readonly HTMLElement[], { from, to }: QuoteRange): HTMLElement | null {
  let first: HTMLElement | null = null
  for (let piece = from.piece; piece <= to.piece; piece += 1) {
    const element = elements[piece]
    const text = element?.textContent ?? ''
    const start = piece === from.piece ? from.offset : 0
    const end = piece === to.piece ? to.offset : text.length
    if (!element || text.slice(start, end).trim() === '') continue
    const mark = document.createElement('mark')
    mark.textContent = text.slice(start, end)
    element.replaceChildren(text.slice(0, start), mark, text.slice(end))
    first ??= mark
  }
  return first
}

function extractLetters(pieces: readonly string[]): Letters {
  const letters: Letters = { text: '', positions: [] }
  pieces.forEach((text, piece) => {
    let start = 0
    for (const character of text) {
      const end = start + character.length
      for (const letter of character.normalize('NFKD').toLowerCase()) {
        if (!/[\p{L}\p{N}]/u.test(letter)) continue
        letters.text += letter
        for (let unit = 0; unit < letter.length; unit += 1) letters.positions.push({ piece, start, end })
      }
      start = end
    }
  })
  return letters
}

function findRange(page: string, wanted: string): { start: number; end: number } | null {
  const whole = page.indexOf(wanted)
  if (whole >= 0) return { start: whole, end: whole + wanted.length }
  if (wanted.length <= minAnchorLength) return null
  const head = page.indexOf(wanted.slice(0, minAnchorLength))
  const tail = page.indexOf(wanted.slice(-minAnchorLength), Math.max(head, 0))
  if (head >= 0) {
    const end = tail >= 0 ? tail + minAnchorLength : head + countCommonPrefix(page.slice(head), wanted)
    return { start: head, end }
  }
  return tail >= 0 && page.slice(0, tail + minAnchorLength) === wanted.slice(-(tail + minAnchorLength))
    ? { start: 0, end: tail + minAnchorLength }
    : null
}

function countCommonPrefix(text: string, other: string): number {
  let length = 0
  while (length < text.length && text[length] === other[length]) length += 1
  return length
}
