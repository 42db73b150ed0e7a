/** What no row is lower than: a line of text, its time, and the space to the next one. */
const leastRowPx = 90
/** And what text adds to it at least, in lines as long as the widest window makes them. */
const linePx = 26
const charactersPerLine = 110

/** How many of the last messages fill a view of such a height, rather too many than too few. */
export function rowsToFill(messages: readonly { content: string }[], height: number): number {
  let filled = 0
  let rows = 0
  while (rows < messages.length && filled < height) {
    rows += 1
    const { length } = messages.at(-rows)?.content ?? ''
    filled += leastRowPx + linePx * Math.floor(length / charactersPerLine)
  }
  return rows
}
