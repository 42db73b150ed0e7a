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

function quote(sites: readonly string[]): string {
  return sites.map((site) => `“${site}”`).join(', ')
}

function describeProblems(invalid: readonly string[], unencrypted: readonly string[]): string {
  const noun = invalid.length === 1 ? 'is not a site' : 'are not sites'
  return [
    invalid.length > 0 &&
      `${quote(invalid)} ${noun}. Enter the address without a path, such as https://www.example.com. Wildcards are not allowed.`,
    unencrypted.length > 0 && `${quote(unencrypted)} must begin with https://.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}

/** The sites as browsers name them, each once. Throws an error that names all that are wrong. */
export function normalizeSites(sites: readonly string[]): string[] {
  const entries = sites.map((entry) => ({ site: entry.trim(), url: parseSite(entry.trim()) }))
  const invalid = entries.filter(({ url }) => url === null)
  const unencrypted = entries.filter(({ url }) => url !== null && !isEncrypted(url))
  const message = describeProblems(
    invalid.map(({ site }) => site),
    unencrypted.map(({ site }) => site),
  )
  if (message !== '') throw new AppError('validation.failed', { message, fields: { sites: message } })
  return [...new Set(entries.flatMap(({ url }) => (url === null ? [] : [url.origin])))]
}
