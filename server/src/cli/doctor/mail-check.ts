import { type BaseDeps, openMailer } from '../../start.ts'
import { type Check, ok } from './finding.ts'

export function mailCheck(deps: BaseDeps): Check {
  return {
    about: 'mail',
    async run() {
      const mailer = openMailer(deps)
      try {
        await mailer.verify()
        return ok(
          mailer.delivers
            ? 'the mail server responds'
            : 'no mail server is configured; emails are written to the outbox folder',
        )
      } finally {
        await mailer.close()
      }
    },
  }
}
