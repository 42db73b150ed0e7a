const leaders = /(?:\s?[.·]){5,}|(?:\s\.){3,}/g

/** The dots of a table of contents lead the eye and nobody searches for them. */
export const withoutLeaders = (text: string): string => text.replace(leaders, ' …')
