const leaders = /(?:\s?[.·]){5,}|(?:\s\.){3,}/g

/** The dots of a table of contents lead the eye and nobody searches for them. */
export function withoutLeaders(text: string): string {
  return text.replace(leaders, ' …')
}
