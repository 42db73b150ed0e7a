import { renderEmail } from '#mail/email.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { codeEmail } from './sign-in-mails.ts'
import type { UserRow } from './store.ts'

const sendWithin = 8_000
/** Seconds until another try may find the mail server better. */
const retryAfter = 60

/** Sends a code while its person waits, and says so when it could not: docs/decisions/0010. */
export async function sendCode(deps: Deps, user: UserRow, client: Client, code: string): Promise<void> {
  const mail = renderEmail({ address: user.email, name: user.name }, codeEmail(code, client, deps.now()))
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server did not answer in time')), sendWithin)
  })
  try {
    await Promise.race([deps.mail.send(mail), deadline])
  } catch (cause) {
    throw new AppError('auth.code_not_sent', { cause, retryAfter })
  } finally {
    clearTimeout(timer)
  }
}
