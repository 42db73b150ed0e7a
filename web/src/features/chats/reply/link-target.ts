const protocols = new Set(['http:', 'https:', 'mailto:'])

interface LinkTarget {
  href: string
  /** The destination in a readable form. */
  destination: string
  /**
   * `https://bank.example@evil.example` leads to evil.example: what looks like the host is a user name. Such an address
   * is not linked.
   */
  hasUserName: boolean
}

/** Parses the address of a link. Returns null unless it is http, https or mailto. */
export function parseLinkTarget(href: string | undefined): LinkTarget | null {
  if (!href || !URL.canParse(href)) return null
  const url = new URL(href)
  if (!protocols.has(url.protocol)) return null
  return {
    href: url.href,
    destination: url.protocol === 'mailto:' ? decodeOrKeep(url.pathname) : url.host,
    hasUserName: url.username !== '' || url.password !== '',
  }
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a link's text already shows its destination. */
export function showsDestination(text: string, { destination }: LinkTarget): boolean {
  const shown = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, '')
  const lower = destination.toLowerCase()
  function startsWithHost(host: string) {
    return shown === host || ['/', '?', '#'].some((mark) => shown.startsWith(host + mark))
  }
  return startsWithHost(lower) || (lower.startsWith('www.') && startsWithHost(lower.slice(4)))
}
