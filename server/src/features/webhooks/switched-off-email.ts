import type { EmailContent } from '#mail/email.ts'

/** Sent to all system administrators, because nobody may look at the settings for days. */
export function createSwitchedOffEmail(
  publicUrl: string,
  { name, reason }: { name: string; reason: string },
): EmailContent {
  return {
    subject: 'A webhook was switched off in Lyceum',
    heading: 'A webhook was switched off',
    paragraphs: [
      `Lyceum no longer sends events to the webhook “${name}”, because its server does not accept them.`,
      'Repair the receiver, switch the webhook on again, and send again what was given up.',
    ],
    action: { label: 'Open the settings', url: `${publicUrl}/admin/settings?section=events` },
    facts: [['Last failure', reason]],
    note: 'We send this email to all system administrators.',
  }
}
