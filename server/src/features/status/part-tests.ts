import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { PartTrial, StatusPart } from '@lyceum/contract/status'
import { uuidv7 } from 'uuidv7'
import { tryBackupFolder } from '#backup/backup-folder.ts'
import { describeFailure } from '#backup/describe-failure.ts'
import { backupNow } from '#backup/jobs.ts'
import { renderEmail } from '#mail/email.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { tryEmbedder, tryModels } from '../assistants/model-state.ts'
import { hostOf, withoutCredentials } from './facts.ts'
import { tryWriting } from './store.ts'

export type Trial = Pick<PartTrial, 'ok' | 'words'>

/** How long an administrator who pressed the button waits for the mail server, in milliseconds. */
const longestMail = 8_000

function done(words: string): Trial {
  return { ok: true, words: [words] }
}
function failed(words: string): Trial {
  return { ok: false, words: [words] }
}

function testLetter({ name, email }: Actor) {
  return renderEmail(
    { address: email, name },
    {
      subject: 'Test letter from Lyceum',
      heading: 'Mail works',
      paragraphs: [`${name} asked for this letter in the settings, to see whether mail arrives.`],
      note: 'There is nothing for you to do.',
    },
  )
}

const late = Symbol('late')

async function mail(deps: Deps, actor: Actor): Promise<Trial> {
  const { SMTP_URL } = deps.env
  const { promise: tooLate, resolve } = Promise.withResolvers<typeof late>()
  const timer = setTimeout(resolve, longestMail, late)
  try {
    const sending = deps.mail.send({ ...testLetter(actor), messageId: uuidv7() })
    if ((await Promise.race([sending, tooLate])) === late) {
      sending.catch(() => undefined)
      return failed('The mail server did not take the letter within 8 seconds.')
    }
    return done(
      SMTP_URL === undefined
        ? 'The letter lies in the outbox folder: no mail server is set up.'
        : `${hostOf(SMTP_URL)} took a letter to ${actor.email}.`,
    )
  } catch (error) {
    const { message } = error as Error
    return failed(`The letter could not be handed over: ${withoutCredentials(message)}`)
  } finally {
    clearTimeout(timer)
  }
}

async function search(deps: Deps, actor: Actor): Promise<Trial> {
  const query = { channelId: 'none', generations: ['none'], text: 'lyceum', embedding: null, limit: 1 }
  await deps.passageIndex.search(query)
  await deps.messageSearch.own({ words: 'lyceum', userId: actor.userId, limit: 1, skip: 0 })
  return done('Both indexes answered a query.')
}

async function storage(deps: Deps): Promise<Trial> {
  const content = `A trial at ${deps.now()}`
  const { key } = await deps.files.put(Readable.from([Buffer.from(content)]))
  try {
    const read = await text(await deps.files.open(key))
    return read === content
      ? done('A file was written, read again and deleted.')
      : failed('A file was written, and something else was read.')
  } finally {
    await deps.files.remove(key)
  }
}

async function database(deps: Deps): Promise<Trial> {
  const began = performance.now()
  await tryWriting(deps.db, deps.now())
  return done(`A row was written and taken back in ${Math.round(performance.now() - began)} ms.`)
}

async function backups(deps: Deps): Promise<Trial> {
  if (deps.env.BACKUP_EVERY === null) {
    await tryBackupFolder(deps.env.BACKUP_DIR)
    return done('The folder for backups can be written. None was made, as none is made by schedule.')
  }
  // Checked before the transaction, which could deadlock if it waited for a second connection. Two concurrent
  // requests start two backups.
  const isStarted = (await deps.jobs.countByName(backupNow.name)).pending === 0
  if (isStarted) await deps.db.transaction().execute((tx) => deps.jobs.add(tx, backupNow, {}))
  return done(
    isStarted
      ? 'A backup was started. What becomes of it stands here in a moment.'
      : 'A backup that somebody asked for is being made already.',
  )
}

/** Tests each part by using it. Faults are returned as text and never thrown. */
const trials: Record<StatusPart, (deps: Deps, actor: Actor) => Promise<Trial>> = {
  mail,
  model: tryModels,
  embeddings: tryEmbedder,
  search,
  storage,
  database,
  backups,
}

export async function tryPart(deps: Deps, actor: Actor, part: StatusPart): Promise<Trial> {
  try {
    return await trials[part](deps, actor)
  } catch (error) {
    deps.log.error({ err: error, part }, 'a part that was tried out failed')
    return failed(`This failed: ${withoutCredentials(describeFailure(error))}`)
  }
}
