import { AppError } from '../../errors.ts'

/** An origin, with or without a slash at its end. Rules out user information, paths and wildcards. */
const originPattern = /^https?:\/\/[^\s/\\?#@*]+\/?$/i
/** Only what a policy for frames can name, after the address has been normalized. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const loopbackPattern = /^(?:localhost|127\.\d+\.\d+\.\d+)$/

function refuse(site: string, reason: string): AppError {
  const message = `“${site}” ${reason}`
  return new AppError('validation.failed', { message, fields: { sites: message } })
}

function toOrigin(entry: string): string {
  const site = entry.trim()
  const url = originPattern.test(site) && URL.canParse(site) ? new URL(site) : null
  if (url === null || !hostPattern.test(url.hostname))
    throw refuse(site, 'is not a site. Enter only its beginning, such as https://www.example.com')
  if (url.protocol !== 'https:' && !loopbackPattern.test(url.hostname))
    throw refuse(site, 'must begin with https://')
  return url.origin
}

/** The sites as browsers name them, each once. Throws for the first that is not one. */
export function normalizeSites(sites: readonly string[]): string[] {
  return [...new Set(sites.map(toOrigin))]
}
