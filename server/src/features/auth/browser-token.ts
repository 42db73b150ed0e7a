import type { Browser } from '../../actor.ts'

const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** Reads a secret that the server stored in a cookie. Returns null for a malformed value. */
export function readBrowserToken(browser: Browser, cookie: string): string | null {
  const value = browser.read(cookie)
  return value !== null && tokenPattern.test(value) ? value : null
}
