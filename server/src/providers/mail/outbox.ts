import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { retryWithRoom } from '../../lib/disk-full.ts'
import { writeWholeFile } from '../../lib/whole-file.ts'
import { composeMessage } from './compose.ts'
import type { Mailer } from './port.ts'

export interface OutboxOptions {
  folder: string
  from: string
  log: Logger
  now: () => number
  /** Called when the disk is full. Returns whether to try again. */
  makeRoom: () => boolean
}

/** Without a mail server, writes every email to a file that an administrator can read and forward. */
export function createOutbox({ folder, from, log, now, makeRoom }: OutboxOptions): Mailer {
  return {
    delivers: false,
    async send(mail) {
      const stamp = new Date(now()).toISOString().replaceAll(':', '-')
      const path = join(folder, `${stamp}-${randomBytes(4).toString('hex')}.eml`)
      const message = await composeMessage(mail, from)
      await retryWithRoom(makeRoom, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeWholeFile(path, message)
      })
      log.info({ file: path }, 'no mail server is configured; email written to the outbox')
    },
    async verify() {
      await access(existsSync(folder) ? folder : dirname(folder), constants.W_OK)
    },
    async close() {},
  }
}
