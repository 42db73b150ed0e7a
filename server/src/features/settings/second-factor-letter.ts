import type { Letter } from '#mail/letter.ts'
import type { Actor } from '../../actor.ts'
import { factsOf } from '../auth/sign-in-mails.ts'

/** To those who answer for the installation: whoever manages settings may switch it off for them too. */
export function secondFactorOffLetter(publicUrl: string, { name, client }: Actor, at: number): Letter {
  return {
    subject: 'Two-factor authentication was switched off in Lyceum',
    heading: 'No code is asked for any more',
    paragraphs: [
      `${name} switched two-factor authentication off for everybody without settings of their own. From the next sign-in on a password alone lets them in.`,
      'If that was agreed, there is nothing to do. If not, switch it on again, and end the sessions of whoever did it.',
    ],
    action: { label: 'Open the settings', url: `${publicUrl}/admin/settings` },
    facts: factsOf(client, at),
    note: 'Every system administrator gets this message.',
  }
}
