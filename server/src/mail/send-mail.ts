import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { defineJob, PermanentJobError } from '#jobs/define-job.ts'
import { type Mail, MailRefused } from '#providers/mail/port.ts'
import type { Deps } from '../deps.ts'
import { type EmailContent, renderEmail } from './email.ts'

const minute = 60_000
const hour = 60 * minute

const sealedMail = z.object({
  to: z.object({ address: z.string(), name: z.string() }),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})

/** Retries for a day; after that the email remains as a failed job. */
const retryDelays = [minute, 5 * minute, 15 * minute, ...Array.from({ length: 23 }, () => hour)]

const sendMail = defineJob({
  name: 'mail.send',
  payload: z.object({ messageId: z.string(), sealed: z.string(), expiresAt: z.number().nullable() }),
  retryDelays,
  async handler(deps: Deps, { messageId, sealed, expiresAt }) {
    if (expiresAt !== null && expiresAt <= deps.now())
      throw new PermanentJobError('the link or code in the email has expired')
    const mail: Mail = { ...sealedMail.parse(JSON.parse(deps.secrets.unseal(sealed))), messageId }
    try {
      await deps.mail.send(mail)
    } catch (error) {
      if (error instanceof MailRefused)
        throw new PermanentJobError('the mail server refused the email', { cause: error })
      throw error
    }
  },
})

export const mailJobs = [sendMail]

interface QueuedEmail {
  to: Mail['to']
  content: EmailContent
  /** When its link or code expires; null without one. */
  expiresAt: number | null
}

/**
 * Queues an email in the transaction that triggers it. The job stores it encrypted, because a link in it gives access
 * to an account.
 */
export function queueEmail(deps: Deps, tx: Tx, { to, content, expiresAt }: QueuedEmail): Promise<void> {
  return deps.jobs.add(tx, sendMail, {
    messageId: uuidv7(),
    sealed: deps.secrets.seal(JSON.stringify(renderEmail(to, content))),
    expiresAt,
  })
}
