const protocols = new Set(['http:', 'https:', 'mailto:'])

interface LinkTarget {
  href: string
  /** The destination in a readable form. */
  place: string
}

/** The address of a link, or null unless it is http, https or mailto. */
export function linkTarget(href: string | undefined): LinkTarget | null {
  if (!href || !URL.canParse(href)) return null
  const url = new URL(href)
  if (!protocols.has(url.protocol)) return null
  return { href: url.href, place: url.protocol === 'mailto:' ? decodedOr(url.pathname) : url.host }
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a link's text already shows its destination. */
export function showsDestination(text: string, { place }: LinkTarget): boolean {
  const shown = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, '')
  const lower = place.toLowerCase()
  function isAt(wanted: string) {
    return shown === wanted || ['/', '?', '#'].some((mark) => shown.startsWith(wanted + mark))
  }
  return isAt(lower) || (lower.startsWith('www.') && isAt(lower.slice(4)))
}
