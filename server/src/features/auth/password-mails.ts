import type { Letter } from '#mail/letter.ts'
import type { Client } from '../../client.ts'
import { factsOf } from './sign-in-mails.ts'

export function resetLetter(link: string, client: Client, at: number): Letter {
  return {
    subject: 'Set a new password for Lyceum',
    heading: 'Set a new password',
    paragraphs: [
      'Somebody, most likely you, asked to set a new password for your account. The link is good for 30 minutes from then and works once, and only the newest one does.',
      'Setting the password ends every session of your account and forgets the browsers in which you needed no code.',
    ],
    action: { label: 'Set a new password', url: link },
    facts: factsOf(client, at),
    note: 'If you did not ask for this, there is nothing to do: your password stays as it is. Pass the link on to nobody.',
  }
}

export function passwordChangedLetter(publicUrl: string, client: Client, at: number): Letter {
  return {
    subject: 'Your Lyceum password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      'If this was you, there is nothing to do.',
      'If it was not, set a new password now: that ends every session of your account. Then look over your mailbox too, and tell an administrator.',
    ],
    action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    facts: factsOf(client, at),
    note: 'You get this message whenever the password of your account changes.',
  }
}
