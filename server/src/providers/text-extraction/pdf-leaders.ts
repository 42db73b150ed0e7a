const leaders = /(?:\s?[.·]){5,}|(?:\s\.){3,}/g

/** Replaces the dot leaders of a table of contents, which carry no meaning, with an ellipsis. */
export function shortenLeaders(text: string): string {
  return text.replace(leaders, ' …')
}
