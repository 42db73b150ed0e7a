import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { defineJob, GiveUp } from '#jobs/define-job.ts'
import { type Mail, MailRefused } from '#providers/mail/port.ts'
import type { Deps } from '../deps.ts'
import { type Letter, writeLetter } from './letter.ts'

const minute = 60_000
const hour = 60 * minute

const sealedMail = z.object({
  to: z.object({ address: z.string(), name: z.string() }),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})

/** For a day, then it is given up and stays visible among the failed jobs. */
const retryDelays = [minute, 5 * minute, 15 * minute, ...Array.from({ length: 23 }, () => hour)]

const sendMail = defineJob({
  name: 'mail.send',
  payload: z.object({ messageId: z.string(), sealed: z.string(), expiresAt: z.number().nullable() }),
  retryDelays,
  async handler(deps: Deps, { messageId, sealed, expiresAt }) {
    if (expiresAt !== null && expiresAt <= deps.now())
      throw new GiveUp('what the message is about has expired')
    const mail: Mail = { ...sealedMail.parse(JSON.parse(deps.secrets.unseal(sealed))), messageId }
    try {
      await deps.mail.send(mail)
    } catch (error) {
      if (error instanceof MailRefused)
        throw new GiveUp('the mail server refused the message', { cause: error })
      throw error
    }
  },
})

export const mailJobs = [sendMail]

interface Posting {
  to: Mail['to']
  letter: Letter
  /** When its link or code is worth nothing any more; null for news. */
  expiresAt: number | null
}

/**
 * Hands a letter to the job runner within the transaction that makes it necessary. It is kept sealed: a link in it is
 * a key to an account, and the database holds no such key in the clear.
 */
export function postLetter(deps: Deps, tx: Tx, { to, letter, expiresAt }: Posting): Promise<void> {
  return deps.jobs.add(tx, sendMail, {
    messageId: uuidv7(),
    sealed: deps.secrets.seal(JSON.stringify(writeLetter(to, letter))),
    expiresAt,
  })
}
