import type { Browser } from '../../actor.ts'

const form = /^[A-Za-z0-9_-]{43}$/

/** Reads a secret of ours that the browser sent back. Any other value counts as none. */
export function readBrowserToken(browser: Browser, cookie: string): string | null {
  const value = browser.read(cookie)
  return value !== null && form.test(value) ? value : null
}
