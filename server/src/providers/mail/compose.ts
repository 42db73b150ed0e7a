import type { Mail } from './port.ts'

function toSingleLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ').trim()
}

/** Options for Nodemailer. Addresses are objects, so that a name cannot inject another recipient. */
export function toMailOptions(mail: Mail, from: string) {
  return {
    from: { name: 'Lyceum', address: from },
    to: { name: toSingleLine(mail.to.name), address: mail.to.address },
    envelope: { from, to: [mail.to.address] },
    subject: toSingleLine(mail.subject),
    text: mail.text,
    html: mail.html,
    ...(mail.messageId ? { messageId: `<${mail.messageId}@${from.split('@')[1]}>` } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Imports the library only when the first email is sent. */
export async function composeMessage(mail: Mail, from: string): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  return new Promise((resolve, reject) => {
    new MailComposer(toMailOptions(mail, from)).compile().build((error, message) => {
      if (error) reject(error)
      else resolve(message)
    })
  })
}
