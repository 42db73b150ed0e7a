import type { Letter } from '#mail/letter.ts'
import type { Client } from '../../client.ts'
import { browserName } from './browser-name.ts'

/** What lets a person tell their own sign-in from another's. */
export function factsOf(client: Client, at: number): NonNullable<Letter['facts']> {
  return [
    ['Time', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['Address', client.ip],
    ['Browser', browserName(client.userAgent)],
  ]
}

/** Without a link, so that nobody learns to expect one beside a code; the code stays out of the subject. */
export function codeLetter(code: string, client: Client, at: number): Letter {
  return {
    subject: 'Your sign-in code for Lyceum',
    heading: 'Finish signing in',
    paragraphs: [
      'The password for your account was just given in the browser named below. Type this code there to finish signing in. It is good for ten minutes and works once.',
    ],
    code,
    facts: factsOf(client, at),
    note: 'If this was not you, somebody knows your password: do not pass the code on, and change the password. Nobody from Lyceum will ever ask you for a code.',
  }
}

export function newSignInLetter(publicUrl: string, client: Client, at: number): Letter {
  return {
    subject: 'New sign-in to your Lyceum account',
    heading: 'Your account was used in a new browser',
    paragraphs: [
      'If this was you, there is nothing to do.',
      'If it was not, set a new password now: that ends every session of your account.',
    ],
    action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    facts: factsOf(client, at),
    note: 'You get this message when somebody signs in to your account in a browser that has not been used for it before.',
  }
}
