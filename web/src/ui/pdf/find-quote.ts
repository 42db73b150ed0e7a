/** A stretch of a page's text, by piece and by UTF-16 offset within the piece. */
export interface QuoteRange {
  from: { piece: number; offset: number }
  to: { piece: number; offset: number }
}

interface Letters {
  text: string
  at: { piece: number; start: number; end: number }[]
}

// Shorter agreements are coincidence.
const shortestAnchor = 24

/**
 * Finds a quote in the pieces a PDF page consists of. Only letters and digits count, so that line breaks, hyphens at
 * their ends, ligatures and kinds of quotation marks do not matter. A quote that begins or ends on another page is
 * found as far as it stands here.
 */
export function findQuote(pieces: readonly string[], quote: string): QuoteRange | null {
  const page = lettersOf(pieces)
  const wanted = lettersOf([quote]).text
  if (wanted === '') return null
  const found = stretchOf(page.text, wanted)
  const first = found && page.at[found.start]
  const last = found && page.at[found.end - 1]
  if (!first || !last) return null
  return { from: { piece: first.piece, offset: first.start }, to: { piece: last.piece, offset: last.end } }
}

function lettersOf(pieces: readonly string[]): Letters {
  const letters: Letters = { text: '', at: [] }
  pieces.forEach((text, piece) => {
    let start = 0
    for (const character of text) {
      const end = start + character.length
      for (const letter of character.normalize('NFKD').toLowerCase()) {
        if (!/[\p{L}\p{N}]/u.test(letter)) continue
        letters.text += letter
        for (let unit = 0; unit < letter.length; unit += 1) letters.at.push({ piece, start, end })
      }
      start = end
    }
  })
  return letters
}

function stretchOf(page: string, wanted: string): { start: number; end: number } | null {
  const whole = page.indexOf(wanted)
  if (whole >= 0) return { start: whole, end: whole + wanted.length }
  if (wanted.length <= shortestAnchor) return null
  const head = page.indexOf(wanted.slice(0, shortestAnchor))
  const tail = page.indexOf(wanted.slice(-shortestAnchor), Math.max(head, 0))
  if (head >= 0) {
    const end = tail >= 0 ? tail + shortestAnchor : head + agreement(page.slice(head), wanted)
    return { start: head, end }
  }
  return tail >= 0 && page.slice(0, tail + shortestAnchor) === wanted.slice(-(tail + shortestAnchor))
    ? { start: 0, end: tail + shortestAnchor }
    : null
}

function agreement(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
