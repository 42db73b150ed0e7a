export interface Piece {
  text: string
  isMatch: boolean
}

/** A text in pieces, with those that hold a word of what was looked for told apart. */
export function markedPieces(text: string, query: string): Piece[] {
  const words = query.split(/\s+/u).filter((word) => word !== '')
  if (words.length === 0) return [{ text, isMatch: false }]
  // The longest first: of two words that begin alike, the longer one is marked whole.
  const patterns = words
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // With a group, every second piece is what matched.
  return text
    .split(new RegExp(`(${patterns.join('|')})`, 'giu'))
    .map((piece, place) => ({ text: piece, isMatch: place % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
