import type { EmailContent } from '#mail/email.ts'

/** With more channels than this, the email gives their number instead of their names. */
const namesShown = 5

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const listFormat = new Intl.ListFormat('en', { type: 'conjunction' })

function describeChannels(names: readonly string[]): string[] {
  if (names.length === 0) return []
  if (names.length > namesShown) return [`You will have access to ${names.length} channels.`]
  const quoted = listFormat.format(names.map((name) => `“${name}”`))
  return [`You will have access to the ${names.length === 1 ? 'channel' : 'channels'} ${quoted}.`]
}

interface InvitationDetails {
  inviter: { name: string; email: string }
  fullName: string
  channelNames: readonly string[]
  link: string
  expiresAt: number
}

export function createInvitationEmail({
  inviter,
  fullName,
  channelNames,
  link,
  expiresAt,
}: InvitationDetails): EmailContent {
  return {
    // Fixed, so that no text chosen by an administrator appears in the subject.
    subject: 'You have been invited to Lyceum',
    heading: `Hello ${fullName}`,
    paragraphs: [
      `${inviter.name} (${inviter.email}) has invited you to Lyceum, where you can chat with an assistant that answers from selected documents.`,
      ...describeChannels(channelNames),
      'Choose a password to complete your registration.',
    ],
    action: { label: 'Complete your registration', url: link },
    facts: [['The link expires', `${dateFormat.format(expiresAt)} UTC`]],
    note: 'The link works once. If you received several, only the latest works. If you did not expect this invitation, you can ignore this email.',
  }
}
