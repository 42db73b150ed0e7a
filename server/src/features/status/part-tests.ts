import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { PartTestResult, StatusPart } from '@lyceum/contract/status'
import { uuidv7 } from 'uuidv7'
import { getArchivesLocation } from '#backup/archives-location.ts'
import { tryArchives } from '#backup/backup-folder.ts'
import { describeFailure } from '#backup/describe-failure.ts'
import { backupNow } from '#backup/jobs.ts'
import { renderEmail } from '#mail/email.ts'
import { openArchives } from '#providers/archives/open-archives.ts'
import { MailError, type Mailer, type MailFailureReason } from '#providers/mail/port.ts'
import type { Actor } from '../../actor.ts'
import { getEmbeddingConnection } from '../../connections/effective.ts'
import type { Deps } from '../../deps.ts'
import { getServerAddress } from '../assistants/model-health.ts'
import { summarizeModelTests, testEmbedder, testModels, testReranker } from '../assistants/model-tests.ts'
import { tryReceivers } from '../audit/stream/receivers.ts'
import { requireSearch } from '../documents/indexing/index-status.ts'
import { tryWebhooks } from '../webhooks/webhooks.ts'
import { formatServer, removeCredentials } from './facts.ts'
import { testWrite } from './store.ts'

interface MailServer {
  host: string
  port: number
}

export type TestOutcome = Omit<PartTestResult, 'milliseconds'>

/** How long an administrator who pressed the button waits for the mail server, in milliseconds. */
const mailTimeout = 8_000

function passed(words: string): TestOutcome {
  return { ok: true, words: [words] }
}
function failed(words: string, details: string[] = []): TestOutcome {
  return { ok: false, words: [words], details }
}

function createTestEmail({ name, email }: Actor) {
  return renderEmail(
    { address: email, name },
    {
      subject: 'Test email from Lyceum',
      heading: 'Email works',
      paragraphs: [`${name} sent this test email from the settings to check that email works.`],
      note: 'You do not need to do anything.',
    },
  )
}

const mailFailures: Record<Exclude<MailFailureReason, 'unreachable'>, string> = {
  'unknown-host': 'The host name was not found. Check its spelling.',
  timeout: 'The mail server did not answer in time. Check the host, the port and the encryption.',
  'not-smtp': 'The server there is no mail server, or it expects another encryption.',
  encryption:
    'The encrypted connection failed. The mail server may expect another encryption, or offer none.',
  certificate: 'The certificate of the mail server is not valid for this host, so nothing was sent.',
  login: 'The mail server refused the login. Check the user name and the password.',
  sender: 'The mail server refused the sender’s address.',
  recipient: 'The mail server refused your address as a recipient.',
  refused: 'The mail server refused the email.',
}

/** Replies of the mail server itself explain more. Other servers' replies are not shown: they may be internal. */
function describeMailFailure(error: unknown, server: MailServer | null, lead: string): TestOutcome {
  if (!(error instanceof MailError)) return failed(`${lead}${removeCredentials((error as Error).message)}`)
  const { reason, message } = error
  if (reason === 'unreachable')
    return failed(
      `No mail server answers${server === null ? '' : ` at ${formatServer(server)}`}. Check the address and that the server is running.`,
    )
  const isReply = ['login', 'sender', 'recipient', 'refused'].includes(reason)
  return failed(
    `${lead}${mailFailures[reason]}`,
    isReply ? [removeCredentials(message).replace(/^Error: /, '')] : [],
  )
}

const timedOut = Symbol('late')

async function tryMailer(
  work: Promise<void>,
  server: MailServer | null,
  texts: { done: string; late: string; failed: string },
): Promise<TestOutcome> {
  const { promise: tooLate, resolve } = Promise.withResolvers<typeof timedOut>()
  const timer = setTimeout(resolve, mailTimeout, timedOut)
  try {
    if ((await Promise.race([work, tooLate])) !== timedOut) return passed(texts.done)
    work.catch(() => undefined)
    return failed(`${texts.late} within 8 seconds. Check the host, the port and the encryption.`)
  } catch (error) {
    return describeMailFailure(error, server, texts.failed)
  } finally {
    clearTimeout(timer)
  }
}

/** Sends the administrator an email. `server` is null if emails go to the outbox folder. */
export function testMailer(mailer: Mailer, actor: Actor, server: MailServer | null): Promise<TestOutcome> {
  return tryMailer(mailer.send({ ...createTestEmail(actor), messageId: uuidv7() }), server, {
    done:
      server === null
        ? 'No mail server is configured, so the email was written to the outbox folder.'
        : `${formatServer(server)} accepted an email to ${actor.email}.`,
    late: 'The mail server did not accept the email',
    failed: 'The email could not be sent: ',
  })
}

/** Finds out whether the mail server answers and accepts the login, without an email. */
export function verifyMailer({ mail, connections }: Deps): Promise<TestOutcome> {
  const server = connections.current.mail.value
  if (server === null) return Promise.resolve(failed('No mail server is configured.'))
  return tryMailer(mail.verify(), server, {
    done: `${formatServer(server)} accepts connections. “Send test email” also tries the delivery.`,
    late: 'The mail server did not answer',
    failed: '',
  })
}

function testMail({ mail, connections }: Deps, actor: Actor): Promise<TestOutcome> {
  return testMailer(mail, actor, connections.current.mail.value)
}

function findModelAddress({ connections }: Deps): string {
  return getServerAddress(connections.current.model.value?.baseUrl)
}

function findEmbeddingsAddress({ connections, env }: Deps): string {
  return getServerAddress(getEmbeddingConnection(connections.current, env)?.baseUrl)
}

function findRerankingAddress({ connections }: Deps): string {
  return getServerAddress(connections.current.reranking.value?.url)
}

async function testSearch(deps: Deps, actor: Actor): Promise<TestOutcome> {
  await requireSearch(deps)
  await deps.messageSearch.findOwnMessages({ words: 'lyceum', userId: actor.userId, limit: 1, skip: 0 })
  return passed('Both indexes answered a query.')
}

async function testStorage(deps: Deps): Promise<TestOutcome> {
  const content = `A test at ${deps.now()}`
  const { key } = await deps.files.put(Readable.from([Buffer.from(content)]))
  try {
    const read = await text(await deps.files.open(key))
    return read === content
      ? passed('A file was written, read back and deleted.')
      : failed('A file was written, but reading it back returned different content.')
  } finally {
    await deps.files.remove(key)
  }
}

async function testDatabase(deps: Deps): Promise<TestOutcome> {
  const startedAt = performance.now()
  await testWrite(deps.db, deps.now())
  return passed(`A row was written and rolled back in ${Math.round(performance.now() - startedAt)} ms.`)
}

async function testBackups(deps: Deps): Promise<TestOutcome> {
  if (deps.env.BACKUP_EVERY === null) {
    await tryArchives(await openArchives(getArchivesLocation(deps.env)))
    return passed('The backup folder is writable. No backup was made because none are scheduled.')
  }
  // Checked before the transaction, which could deadlock if it waited for a second connection. As a result, two
  // concurrent requests may start two backups.
  const isStarted = (await deps.jobs.countByName(backupNow.name)).pending === 0
  if (isStarted) await deps.db.transaction().execute((tx) => deps.jobs.add(tx, backupNow, {}))
  return passed(
    isStarted
      ? 'A backup was started. Its result will appear here shortly.'
      : 'A requested backup is already running.',
  )
}

async function testReceivers(deps: Deps, actor: Actor): Promise<TestOutcome> {
  const outcomes = await tryReceivers(deps, actor)
  if (outcomes.length === 0) return failed('The audit log is not sent to any server.')
  return {
    ok: outcomes.every(({ ok }) => ok),
    words: outcomes.flatMap(({ words }) => words),
    details: outcomes.flatMap(({ details = [] }) => details),
  }
}

async function testWebhooks(deps: Deps): Promise<TestOutcome> {
  const outcomes = await tryWebhooks(deps)
  if (outcomes.length === 0) return failed('No webhook is switched on.')
  return { ok: outcomes.every(({ ok }) => ok), words: outcomes.flatMap(({ words }) => words) }
}

/** Tests each part by using it. Failures are returned as text and never thrown. */
const partTests: Record<StatusPart, (deps: Deps, actor: Actor) => Promise<TestOutcome>> = {
  mail: testMail,
  model: async (deps, actor) => summarizeModelTests(await testModels(deps, actor, findModelAddress(deps))),
  embeddings: async (deps, actor) =>
    summarizeModelTests([await testEmbedder(deps, actor, findEmbeddingsAddress(deps))]),
  reranking: async (deps) => summarizeModelTests([await testReranker(deps, findRerankingAddress(deps))]),
  search: testSearch,
  storage: testStorage,
  database: testDatabase,
  backups: testBackups,
  'audit-stream': testReceivers,
  webhooks: testWebhooks,
}

export async function runPartTest(deps: Deps, actor: Actor, part: StatusPart): Promise<TestOutcome> {
  try {
    return await partTests[part](deps, actor)
  } catch (error) {
    deps.log.error({ err: error, part }, 'the test of a part failed')
    return failed(`The test failed: ${removeCredentials(describeFailure(error))}`)
  }
}
