export interface Piece {
  text: string
  isMatch: boolean
}

/** Splits a text into pieces that match a word of the query and pieces that do not. */
export function splitMatches(text: string, query: string): Piece[] {
  const words = query.split(/\s+/u).filter((word) => word !== '')
  if (words.length === 0) return [{ text, isMatch: false }]
  // Longest first, so that of two words with the same beginning the longer one is marked.
  const patterns = words
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // With a capturing group, every second piece is a match.
  return text
    .split(new RegExp(`(${patterns.join('|')})`, 'giu'))
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
