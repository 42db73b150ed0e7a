const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Returns null unless it is an address in its usual form. Browsers read unusual forms differently than programs do. */
function parseUsual(uri: string): URL | null {
  const url = URL.parse(uri)
  const isUsual = url !== null && (url.href === uri || url.href === `${uri}/`)
  return isUsual && !uri.includes('#') && url.username === '' && url.password === '' ? url : null
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && loopbackHosts.includes(hostname)
}

/** Codes are sent over HTTPS, or to a program on the user's own computer (RFC 8252). */
export function isAllowedRedirectUri(uri: string): boolean {
  const url = parseUsual(uri)
  return url !== null && (url.protocol === 'https:' || isLoopback(url))
}

function withoutPort(url: URL): string {
  const copy = new URL(url)
  copy.port = ''
  return copy.href
}

/** Compares exactly. Only the port of a loopback address may differ, because the system assigns it. */
export function matchesRedirectUri(registered: string, uri: string): boolean {
  if (registered === uri) return true
  const [known, asked] = [parseUsual(registered), parseUsual(uri)]
  if (known === null || asked === null || !isLoopback(known) || !isLoopback(asked)) return false
  return withoutPort(known) === withoutPort(asked)
}

/** Where users are told that their browser goes. */
export function describeDestination(uri: string): { destination: string; isLocal: boolean } {
  const url = new URL(uri)
  return { destination: url.host, isLocal: isLoopback(url) }
}
