import type { EmailContent } from '#mail/email.ts'
import type { Client } from '../../actor.ts'
import { describeClient } from './sign-in-emails.ts'

export function createResetEmail(link: string, client: Client, at: number): EmailContent {
  return {
    subject: 'Set a new password for Lyceum',
    heading: 'Set a new password',
    paragraphs: [
      'We received a request to set a new password for your account. The link below works once, for 30 minutes after the request. Only the latest link works.',
      'Setting a new password signs you out everywhere. Browsers you trusted will ask for a code again.',
    ],
    action: { label: 'Set a new password', url: link },
    facts: describeClient(client, at),
    note: 'If you did not request this, you can ignore this email: your password stays the same. Do not share the link.',
  }
}

export function createPasswordChangedEmail(publicUrl: string, client: Client, at: number): EmailContent {
  return {
    subject: 'Your Lyceum password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      'If this was you, you do not need to do anything.',
      'If it was not you, set a new password now. This signs out everyone who uses your account. Then check that your mailbox is secure, and tell an administrator.',
    ],
    action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    facts: describeClient(client, at),
    note: 'We send this email whenever the password of your account changes.',
  }
}
