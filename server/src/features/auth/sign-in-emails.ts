import type { EmailContent } from '#mail/email.ts'
import type { Actor, Client } from '../../actor.ts'
import { describeBrowser } from './describe-browser.ts'

/** Details by which users recognize their own sign-ins. */
export function describeClient(client: Client, at: number): NonNullable<EmailContent['facts']> {
  return [
    ['Time', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['IP address', client.ip],
    ['Browser', describeBrowser(client.userAgent)],
  ]
}

/**
 * Contains no link, so that users do not learn to expect one beside a code. The code is not in the subject, which lock
 * screens show.
 */
export function createCodeEmail(code: string, client: Client, at: number): EmailContent {
  return {
    subject: 'Your sign-in code for Lyceum',
    heading: 'Finish signing in',
    paragraphs: [
      'Someone entered your password in the browser shown below. If it was you, type this code there to finish signing in. The code works once, for 10 minutes.',
    ],
    code,
    facts: describeClient(client, at),
    note: 'If this was not you, someone knows your password. Do not share the code, and change your password. No one from Lyceum will ever ask you for a code.',
  }
}

export function createNewSignInEmail(publicUrl: string, client: Client, at: number): EmailContent {
  return {
    subject: 'New sign-in to your Lyceum account',
    heading: 'New sign-in to your account',
    paragraphs: [
      'Your account was used to sign in from a new browser. If this was you, you do not need to do anything.',
      'If it was not you, set a new password now. This signs out everyone who uses your account.',
    ],
    action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    facts: describeClient(client, at),
    note: 'We send this email when someone signs in to your account from a new browser.',
  }
}

/** Sent to all system administrators, because anyone who manages settings can turn it off for them too. */
export function createTwoFactorOffEmail(
  publicUrl: string,
  { name, client }: Actor,
  at: number,
): EmailContent {
  return {
    subject: 'Two-factor authentication was turned off in Lyceum',
    heading: 'Two-factor authentication is off',
    paragraphs: [
      `${name} turned off two-factor authentication for all users without settings of their own. They now sign in with their password only.`,
      'If this was intended, you do not need to do anything. If not, turn it on again, and sign out the administrator who turned it off.',
    ],
    action: { label: 'Open the settings', url: `${publicUrl}/admin/settings` },
    facts: describeClient(client, at),
    note: 'We send this email to all system administrators.',
  }
}
