/** Names up to this length are shown as they are. */
const shortLength = 24
/** The end that always stays visible: the extension and the characters before it. */
const endLength = 14

/**
 * Splits a long file name into a start, which may be cut off, and its end, because the names of versions of a file
 * differ only at the end. The end of a short name is empty.
 */
export function splitFileName(name: string): { start: string; end: string } {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  if (characters.length <= shortLength) return { start: name, end: '' }
  return { start: characters.slice(0, -endLength).join(''), end: characters.slice(-endLength).join('') }
}
