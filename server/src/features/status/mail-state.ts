import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import { readSetting, writeSetting } from '#db/settings.ts'
import type { Mailer } from '#providers/mail/port.ts'
import type { Deps } from '../../deps.ts'

const key = 'mailState'
const stored = z.object({
  lastSentAt: z.int().nullable(),
  lastFailure: z.object({ at: z.int(), reason: z.string() }).nullable(),
})
export type MailState = z.output<typeof stored>

export async function readMailState({ db }: { db: Executor }): Promise<MailState> {
  return stored.safeParse(await readSetting(db, key)).data ?? { lastSentAt: null, lastFailure: null }
}

/** Forgets the failure of an earlier mail server. */
export async function forgetMailFailure(tx: Tx, now: number): Promise<void> {
  const state = await readMailState({ db: tx })
  if (state.lastFailure) await writeSetting(tx, key, { ...state, lastFailure: null }, now)
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
  return {
    get delivers() {
      return mailer.delivers
    },
    async send(mail) {
      try {
        await mailer.send(mail)
      } catch (error) {
        await record({ lastFailure: { at: deps.now(), reason: String(error).slice(0, 500) } })
        throw error
      }
      await record({ lastSentAt: deps.now() })
    },
    verify: () => mailer.verify(),
    close: () => mailer.close(),
  }
}
