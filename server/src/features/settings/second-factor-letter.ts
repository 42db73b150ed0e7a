import type { EmailContent } from '#mail/email.ts'
import type { Actor } from '../../actor.ts'
import { factsOf } from '../auth/sign-in-mails.ts'

/** Sent to all system administrators, because anyone who manages settings can turn it off for them too. */
export function twoFactorOffEmail(publicUrl: string, { name, client }: Actor, at: number): EmailContent {
  return {
    subject: 'Two-factor authentication was turned off in Lyceum',
    heading: 'Two-factor authentication is off',
    paragraphs: [
      `${name} turned off two-factor authentication for all users without settings of their own. They now sign in with their password only.`,
      'If this was intended, you do not need to do anything. If not, turn it on again, and sign out the administrator who turned it off.',
    ],
    action: { label: 'Open the settings', url: `${publicUrl}/admin/settings` },
    facts: factsOf(client, at),
    note: 'We send this email to all system administrators.',
  }
}
