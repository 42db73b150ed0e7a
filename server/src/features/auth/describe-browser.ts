import Bowser from 'bowser'

/** A name by which users recognize their browser, such as 'Firefox on Windows'. */
export function describeBrowser(userAgent: string): string {
  if (userAgent === '') return 'An unknown browser'
  const { browser, os } = Bowser.parse(userAgent)
  // Other programs put their name first, as in 'curl/8.5.0'.
  const name = browser.name || /^[\w.-]{1,40}/.exec(userAgent)?.[0] || 'An unknown browser'
  return os.name ? `${name} on ${os.name}` : name
}
