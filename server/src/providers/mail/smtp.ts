import type { Transporter } from 'nodemailer'
import { toMailOptions } from './compose.ts'
import { type Mailer, MailRefused } from './port.ts'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}

/** A permanent rejection of the recipient or email. 530 (authentication required) is excluded, as it can be fixed. */
function isPermanentRejection({ code, responseCode }: { code?: string; responseCode?: number }): boolean {
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') &&
    responseCode !== undefined &&
    responseCode >= 500 &&
    responseCode !== 530
  )
}

/** Removes email addresses, which mail servers often repeat, because errors are logged and stored with failed jobs. */
function removeAddresses(error: unknown): string {
  return String(error).replace(/[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g, '…@…')
}

/**
 * Sends over SMTP. To another machine it sends only encrypted and checks the certificate. Otherwise someone between the
 * machines could remove the offer of STARTTLS and read the codes and links. `?tls=optional` gives that up.
 */
export function createSmtp(url: string, from: string): Mailer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  const options = {
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !isLoopback(hostname) && searchParams.get('tls') !== 'optional',
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    ...(isLoopback(hostname) ? { tls: { rejectUnauthorized: false } } : {}),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  }
  let pendingTransport: Promise<Transporter> | null = null
  // Imports the library only when the first email is sent.
  function getTransport(): Promise<Transporter> {
    pendingTransport ??= import('nodemailer').then(({ createTransport }) => createTransport(options))
    return pendingTransport
  }
  return {
    delivers: true,
    async send(mail) {
      try {
        const transport = await getTransport()
        await transport.sendMail(toMailOptions(mail, from))
      } catch (error) {
        const message = removeAddresses(error)
        throw isPermanentRejection(error as { code?: string; responseCode?: number })
          ? new MailRefused(message)
          : new Error(message)
      }
    },
    async verify() {
      await (await getTransport()).verify()
    },
    async close() {
      ;(await pendingTransport)?.close()
    },
  }
}
