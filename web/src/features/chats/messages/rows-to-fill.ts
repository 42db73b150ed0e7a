/** Minimum height of a row: a line of text, its time and the gap to the next row. */
const minRowPx = 90
/** Height of each additional line of text. */
const linePx = 26
/** Characters that fit on a line in the widest window, and the average width of one. */
const maxCharactersPerLine = 110
const characterPx = 7

/** How many of the last messages fill the window, rounded up generously. */
export function countRowsToFill(messages: readonly { content: string }[]): number {
  const height = innerHeight
  const charactersPerLine = Math.min(maxCharactersPerLine, innerWidth / characterPx)
  let filled = 0
  let rows = 0
  while (rows < messages.length && filled < height) {
    rows += 1
    const { length } = messages.at(-rows)?.content ?? ''
    filled += minRowPx + linePx * Math.floor(length / charactersPerLine)
  }
  return rows
}
