import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import { deleteSetting, readSetting, writeSetting } from '#db/settings.ts'
import type { Mailer } from '#providers/mail/port.ts'
import type { Deps } from '../../deps.ts'

const key = 'mailState'
const stored = z.object({
  lastSentAt: z.int().nullable(),
  /** When it accepted a connection without an email. Earlier versions did not store it. */
  verifiedAt: z.int().nullable().default(null),
  lastFailure: z.object({ at: z.int(), reason: z.string() }).nullable(),
})
export type MailState = z.output<typeof stored>

const noMailState: MailState = { lastSentAt: null, verifiedAt: null, lastFailure: null }

export async function readMailState({ db }: { db: Executor }): Promise<MailState> {
  return stored.safeParse(await readSetting(db, key)).data ?? noMailState
}

/** Whether it failed since it last worked. */
export function isMailFailing({ lastSentAt, verifiedAt, lastFailure }: MailState): boolean {
  return lastFailure !== null && lastFailure.at > Math.max(lastSentAt ?? 0, verifiedAt ?? 0)
}

/** Forgets what is known of an earlier mail server. */
export async function forgetMailState(tx: Tx): Promise<void> {
  await deleteSetting(tx, key)
}

/** A sent email leaves no job behind, so this records the latest results for administrators. */
export function createRecordingMailer(mailer: Mailer, deps: Pick<Deps, 'db' | 'now' | 'log'>): Mailer {
  async function record(change: Partial<MailState>): Promise<void> {
    try {
      await writeSetting(deps.db, key, { ...(await readMailState(deps)), ...change }, deps.now())
    } catch (error) {
      // Whether or not the email was sent, a failure to record it must not change that result.
      deps.log.warn({ err: error }, 'could not record the result of an email')
    }
  }
  async function run(work: () => Promise<void>, success: 'lastSentAt' | 'verifiedAt'): Promise<void> {
    try {
      await work()
    } catch (error) {
      await record({ lastFailure: { at: deps.now(), reason: String(error).slice(0, 500) } })
      throw error
    }
    await record({ [success]: deps.now() })
  }
  return {
    get delivers() {
      return mailer.delivers
    },
    send: (mail) => run(() => mailer.send(mail), 'lastSentAt'),
    verify: () => run(() => mailer.verify(), 'verifiedAt'),
    close: () => mailer.close(),
  }
}
