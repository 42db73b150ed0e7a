/** Tells visitors apart. Several may have the same letters. */
export function formatVisitorName(letters: string): string {
  return `Visitor ${letters}`
}

/** The name of a visitor that a search consists of, or null. */
export function parseVisitorName(words: string): string | null {
  const letters = /^visitor\s+([a-z]{4})$/i.exec(words.trim())?.[1]
  return letters === undefined ? null : formatVisitorName(letters.toUpperCase())
}
