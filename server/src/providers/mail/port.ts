export interface Mail {
  to: { address: string; name: string }
  subject: string
  text: string
  html: string
  /** The same for every attempt, so that a mail program shows a message once that was delivered twice. */
  messageId?: string
}

/** The server refused for good (5xx): trying again will not help. */
export class MailRefused extends Error {}

export interface Mailer {
  /** Resolves when the message has been taken over; throws otherwise. */
  send(mail: Mail): Promise<void>
  /** Throws when messages cannot be handed over right now; sends none. */
  verify(): Promise<void>
  /** False where messages are only written to the outbox folder. */
  readonly delivers: boolean
  close(): Promise<void>
}
