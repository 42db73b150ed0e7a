const protocols = new Set(['http:', 'https:', 'mailto:'])

interface LinkTarget {
  href: string
  /** Where the link leads, in a form a reader can judge. */
  place: string
}

/** The address a link may lead to, or null for anything but web pages and mail. */
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

/** Whether a link's own text already says where it leads. */
export function saysPlace(text: string, { place }: LinkTarget): boolean {
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
