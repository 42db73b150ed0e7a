import type { MailEncryption } from '@lyceum/contract/connections'
import type { Transporter } from 'nodemailer'
import { toMailOptions } from './compose.ts'
import { MailError, type Mailer, type MailFailureReason, MailRefused } from './port.ts'

export interface SmtpServer {
  host: string
  port: number
  encryption: MailEncryption
  /** Empty: no login. */
  username: string
  password: string
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/**
 * To another machine, emails go only encrypted. Otherwise someone between the machines could remove the offer of
 * STARTTLS and read the codes and links. `?tls=optional` gives that up.
 */
export function parseSmtpUrl(url: string): SmtpServer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isOptional = isLoopback(host) || searchParams.get('tls') === 'optional'
  const encryption = protocol === 'smtps:' ? 'tls' : isOptional ? 'optional' : 'starttls'
  return {
    host,
    port: Number(port) || (encryption === 'tls' ? 465 : 587),
    encryption,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
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

/** Removes what mail servers may repeat from a text that is logged, stored with failed jobs and shown. */
function redact(text: string, { password }: SmtpServer): string {
  const withoutPassword = password === '' ? text : text.replaceAll(password, '••••')
  return withoutPassword.replace(/[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g, '…@…')
}

interface SmtpFault {
  code?: string
  /** The code of the operating system or of OpenSSL, where the library replaced it. */
  originalCode?: string
  command?: string
  responseCode?: number
}

function findReason({
  code = '',
  originalCode = '',
  command = '',
  responseCode,
}: SmtpFault): MailFailureReason {
  const cause = originalCode || code
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(cause)) return 'certificate'
  if (/SSL|^EPROTO$/.test(cause) || code === 'ETLS') return 'encryption'
  if (code === 'EDNS' || /^(?:ENOTFOUND|EAI_AGAIN)$/.test(cause)) return 'unknown-host'
  if (code === 'ETIMEDOUT') return 'timeout'
  if (code === 'EAUTH' || responseCode === 530) return 'login'
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'RCPT TO') return 'recipient'
  if (code === 'EMESSAGE' || responseCode !== undefined) return 'refused'
  return code === 'EPROTOCOL' ? 'not-smtp' : 'unreachable'
}

/** The certificate is checked, except on this machine. */
export function createSmtp(server: SmtpServer, from: string): Mailer {
  const { host, port, encryption, username, password } = server
  const options = {
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ...(username ? { auth: { user: username, pass: password } } : {}),
    ...(isLoopback(host) ? { tls: { rejectUnauthorized: false } } : {}),
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
  async function use(work: (transport: Transporter) => Promise<unknown>): Promise<void> {
    try {
      await work(await getTransport())
    } catch (error) {
      const fault = error as SmtpFault
      const MailFailure = isPermanentRejection(fault) ? MailRefused : MailError
      throw new MailFailure(redact(String(error), server), findReason(fault))
    }
  }
  return {
    delivers: true,
    send: (mail) => use((transport) => transport.sendMail(toMailOptions(mail, from))),
    verify: () => use((transport) => transport.verify()),
    async close() {
      ;(await pendingTransport)?.close()
    },
  }
}
