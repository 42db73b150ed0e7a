import type { Transporter } from 'nodemailer'
import { mailOptions } from './compose.ts'
import { type Mailer, MailRefused } from './port.ts'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}

/** What the server said about this recipient or this message; that it does not know us may be mended meanwhile. */
function isRefusal({ code, responseCode }: { code?: string; responseCode?: number }): boolean {
  return (
    (code === 'EENVELOPE' || code === 'EMESSAGE') &&
    responseCode !== undefined &&
    responseCode >= 500 &&
    responseCode !== 530
  )
}

/** Nobody's address, because errors go into the log and into failed jobs; mail servers like to repeat it. */
function withoutAddresses(error: unknown): string {
  return String(error).replace(/[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g, '…@…')
}

/** Over SMTP, encrypted wherever the server offers it; certificates are checked unless it is this machine. */
export function createSmtp(url: string, from: string): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const options = {
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    ...(isLoopback(hostname) ? { tls: { rejectUnauthorized: false } } : {}),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  }
  let opening: Promise<Transporter> | null = null
  // The library is fetched with the first message.
  function open(): Promise<Transporter> {
    opening ??= import('nodemailer').then(({ createTransport }) => createTransport(options))
    return opening
  }
  return {
    delivers: true,
    async send(mail) {
      try {
        const transport = await open()
        await transport.sendMail(mailOptions(mail, from))
      } catch (error) {
        const words = withoutAddresses(error)
        throw isRefusal(error as { code?: string; responseCode?: number })
          ? new MailRefused(words)
          : new Error(words)
      }
    },
    async verify() {
      await (await open()).verify()
    },
    async close() {
      ;(await opening)?.close()
    },
  }
}
