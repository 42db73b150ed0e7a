import type { Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { Browser } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import {
  dropOldestKnownBrowsers,
  insertKnownBrowser,
  isBrowserInUse,
  isKnownBrowser,
  touchKnownBrowser,
} from './browser-store.ts'
import { readBrowserToken } from './browser-token.ts'

const day = 86_400_000
const cookie = 'kd'
const keptDays = 180
/** How long a browser stays known without a sign-in, in milliseconds. */
export const knownFor = keptDays * day
/** For one person: whoever never sends cookies back would add one with each sign-in. */
const mostKept = 50

/** The hash of this browser's secret if somebody signed in with it to this e-mail; else null. */
export async function knownBrowserOf(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  email: string,
  browser: Browser,
): Promise<string | null> {
  const token = readBrowserToken(browser, cookie)
  if (!token) return null
  const hash = tokenHash(token)
  return (await isKnownBrowser(db, { tokenHash: hash, email, since: now() - knownFor })) ? hash : null
}

interface Remembered {
  token: string
  wasKnown: boolean
}

/** Remembers that a person signed in with this browser. Its secret still has to be kept there, once this is committed. */
export async function rememberBrowser(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  userId: string,
  browser: Browser,
): Promise<Remembered> {
  const at = now()
  const since = at - knownFor
  const sent = readBrowserToken(browser, cookie)
  if (sent && (await touchKnownBrowser(tx, { tokenHash: tokenHash(sent), userId, since, now: at })))
    return { token: sent, wasKnown: true }
  // Several people may share a browser, but a secret that we did not give out is never taken over.
  const token = sent && (await isBrowserInUse(tx, tokenHash(sent), since)) ? sent : randomToken()
  await insertKnownBrowser(tx, tokenHash(token), userId, at)
  await dropOldestKnownBrowsers(tx, userId, mostKept)
  return { token, wasKnown: false }
}

export function keepKnownBrowser(browser: Browser, token: string): void {
  browser.keep(cookie, token, keptDays * 86_400)
}
