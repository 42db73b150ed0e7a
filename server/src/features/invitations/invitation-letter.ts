import type { Letter } from '#mail/letter.ts'

/** More names than this are no longer read; the number says more then. */
const namesShown = 5

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const listed = new Intl.ListFormat('en', { type: 'conjunction' })

function channelWords(names: readonly string[]): string[] {
  if (names.length === 0) return []
  if (names.length > namesShown) return [`You will find ${names.length} channels there.`]
  const quoted = listed.format(names.map((name) => `“${name}”`))
  return [`You will find the ${names.length === 1 ? 'channel' : 'channels'} ${quoted} there.`]
}

interface Inviting {
  inviter: { name: string; email: string }
  fullName: string
  channelNames: readonly string[]
  link: string
  expiresAt: number
}

export function invitationLetter({ inviter, fullName, channelNames, link, expiresAt }: Inviting): Letter {
  return {
    // The same for everybody: words of an administrator's choosing do not stand where a reader looks first.
    subject: 'You are invited to Lyceum',
    heading: `Hello ${fullName}`,
    paragraphs: [
      `${inviter.name} (${inviter.email}) invites you to Lyceum, where you can talk to an assistant that answers from documents chosen for you.`,
      ...channelWords(channelNames),
      'Choose a password to complete your registration.',
    ],
    action: { label: 'Complete your registration', url: link },
    facts: [['The link works until', `${when.format(expiresAt)} UTC`]],
    note: 'The link works once, and only the newest one you were sent. If you did not expect this invitation, you can ignore it.',
  }
}
