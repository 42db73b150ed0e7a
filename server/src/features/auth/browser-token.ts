import type { BrowserCookies } from '../../actor.ts'

const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** Reads a secret that the server stored in a cookie. Returns null for a malformed value. */
export function readBrowserToken(browser: BrowserCookies, cookie: string): string | null {
  const value = browser.readCookie(cookie)
  return value !== null && tokenPattern.test(value) ? value : null
}
