export interface Mail {
  to: { address: string; name: string }
  subject: string
  text: string
  html: string
  /** The same for every attempt, so that mail programs show an email only once if it is delivered twice. */
  messageId?: string
}

export type MailFailureReason =
  | 'unknown-host'
  | 'unreachable'
  | 'timeout'
  | 'not-smtp'
  | 'encryption'
  | 'certificate'
  | 'login'
  | 'sender'
  | 'recipient'
  | 'refused'

/** The email was not sent. The message is the technical reason, without addresses and passwords. */
export class MailError extends Error {
  readonly reason: MailFailureReason

  constructor(message: string, reason: MailFailureReason) {
    super(message)
    this.reason = reason
  }
}

/** The mail server rejected the email permanently (5xx), so a retry will not help. */
export class MailRefused extends MailError {}

export interface Mailer {
  /** Resolves when the mail server has accepted the email; throws otherwise. */
  send(mail: Mail): Promise<void>
  /** Checks the mail server without sending anything. Throws if it cannot accept email now. */
  verify(): Promise<void>
  /** False if emails are only written to the outbox folder. */
  readonly delivers: boolean
  close(): Promise<void>
}
