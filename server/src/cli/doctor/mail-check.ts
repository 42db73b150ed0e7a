import { createMailer } from '../../connections/connections.ts'
import { readConnections } from '../../connections/effective.ts'
import type { BaseDeps } from '../../start.ts'
import { type Check, ok } from './finding.ts'

export function mailCheck(deps: BaseDeps): Check {
  return {
    about: 'mail',
    async run() {
      const mailer = createMailer(await readConnections(deps.db, deps.secrets, deps.env), deps)
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
