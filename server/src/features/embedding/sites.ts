import { AppError } from '../../errors.ts'

/** An origin, with or without a slash at its end. Rules out user information, paths and wildcards. */
const originPattern = /^https?:\/\/[^\s/\\?#@*]+\/?$/i
/** Only what a policy for frames can name, after the address has been normalized. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const loopbackPattern = /^(?:localhost|127\.\d+\.\d+\.\d+)$/

function parseSite(site: string): URL | null {
  const url = originPattern.test(site) && URL.canParse(site) ? new URL(site) : null
  return url !== null && hostPattern.test(url.hostname) ? url : null
}

function isEncrypted({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || loopbackPattern.test(hostname)
}

const example = 'https://www.example.com'

/** Why a site is refused; null if it is accepted. */
function describeProblem(site: string): string | null {
  const url = parseSite(site)
  if (url !== null) return isEncrypted(url) ? null : `“${site}” must begin with https://.`
  const problem = `“${site}” is not a site.`
  if (site.includes('*')) return `${problem} Wildcards are not allowed. Name each host, such as ${example}.`
  const origin = /^https?:\/\/[^\s/\\?#@]+(?=[/?#])/i.exec(site)?.[0]
  if (origin !== undefined && parseSite(origin) !== null)
    return `${problem} Enter it without a path: ${origin}`
  return `${problem} Enter an address such as ${example}.`
}

/** The sites as browsers name them, each once. Throws an error with one line for each that is wrong. */
export function normalizeSites(sites: readonly string[]): string[] {
  const entries = sites.map((entry) => entry.trim())
  const message = [...new Set(entries)]
    .map(describeProblem)
    .filter((problem) => problem !== null)
    .join('\n')
  if (message !== '') throw new AppError('validation.failed', { message, fields: { sites: message } })
  return [...new Set(entries.flatMap((site) => parseSite(site)?.origin ?? []))]
}
