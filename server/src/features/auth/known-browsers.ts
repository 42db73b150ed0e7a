import type { Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { BrowserCookies } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import {
  deleteOldestKnownBrowsers,
  insertKnownBrowser,
  isBrowserInUse,
  isKnownBrowser,
  touchKnownBrowser,
} from './browser-store.ts'
import { readBrowserToken } from './browser-token.ts'

const day = 86_400_000
const cookieName = 'kd'
const knownBrowserDays = 180
/** How long a browser stays known without a sign-in, in milliseconds. */
export const knownBrowserLifetime = knownBrowserDays * day
/** Per user: a client that never sends cookies back would add one with each sign-in. */
const maxKnownBrowsers = 50

/** Hash of this browser's secret if this email address has signed in with it; otherwise null. */
export async function findKnownBrowser(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  email: string,
  browser: BrowserCookies,
): Promise<string | null> {
  const token = readBrowserToken(browser, cookieName)
  if (!token) return null
  const hash = tokenHash(token)
  return (await isKnownBrowser(db, { tokenHash: hash, email, since: now() - knownBrowserLifetime }))
    ? hash
    : null
}

interface RememberedBrowser {
  token: string
  wasKnown: boolean
}

/** Remembers a sign-in with this browser. The caller stores the secret in the browser after the commit. */
export async function rememberBrowser(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  userId: string,
  browser: BrowserCookies,
): Promise<RememberedBrowser> {
  const at = now()
  const since = at - knownBrowserLifetime
  const sent = readBrowserToken(browser, cookieName)
  if (sent && (await touchKnownBrowser(tx, { tokenHash: tokenHash(sent), userId, since, now: at })))
    return { token: sent, wasKnown: true }
  // Several users may share a browser, but a secret that the server did not issue is never accepted.
  const token = sent && (await isBrowserInUse(tx, tokenHash(sent), since)) ? sent : randomToken()
  await insertKnownBrowser(tx, tokenHash(token), userId, at)
  await deleteOldestKnownBrowsers(tx, userId, maxKnownBrowsers)
  return { token, wasKnown: false }
}

export function setKnownBrowserCookie(browser: BrowserCookies, token: string): void {
  browser.setCookie(cookieName, token, knownBrowserDays * 86_400)
}
