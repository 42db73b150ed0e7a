import type { Mail } from './port.ts'

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ').trim()
}

/** What Nodemailer is given: addresses as objects, so that nothing in a name can add a recipient. */
export function mailOptions(mail: Mail, from: string) {
  return {
    from: { name: 'Lyceum', address: from },
    to: { name: oneLine(mail.to.name), address: mail.to.address },
    envelope: { from, to: [mail.to.address] },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    ...(mail.messageId ? { messageId: `<${mail.messageId}@${from.split('@')[1]}>` } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The library is fetched with the first message. */
export async function composeMessage(mail: Mail, from: string): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  return new Promise((resolve, reject) => {
    new MailComposer(mailOptions(mail, from)).compile().build((error, message) => {
      if (error) reject(error)
      else resolve(message)
    })
  })
}
