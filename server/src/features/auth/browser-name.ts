import Bowser from 'bowser'

/** What a person recognises their browser by: 'Firefox on Windows'. */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'An unknown browser'
  const { browser, os } = Bowser.parse(userAgent)
  // A program that is no browser names itself first, as in 'curl/8.5.0'.
  const name = browser.name || /^[\w.-]{1,40}/.exec(userAgent)?.[0] || 'An unknown browser'
  return os.name ? `${name} on ${os.name}` : name
}
