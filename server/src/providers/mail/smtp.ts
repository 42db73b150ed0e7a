import { createTransport } from 'nodemailer'
import { mailOptions } from './compose.ts'
import { type Mailer, MailRefused } from './port.ts'

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.')

/** Over SMTP, encrypted wherever the server offers it; certificates are checked unless it is this machine. */
export const createSmtp = (url: string, from: string): Mailer => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    ...(isLoopback(hostname) ? { tls: { rejectUnauthorized: false } } : {}),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  return {
    delivers: true,
    async send(mail) {
      try {
        await transport.sendMail(mailOptions(mail, from))
      } catch (error) {
        const status = (error as { responseCode?: number }).responseCode
        if (status !== undefined && status >= 500) throw new MailRefused(String(error), { cause: error })
        throw error
      }
    },
    async verify() {
      await transport.verify()
    },
    async close() {
      transport.close()
    },
  }
}
