import { attentionMaximum } from '@lyceum/contract/overview'
import type { StatusPart } from '@lyceum/contract/status'
import { getArchivesLocation } from '#backup/archives-location.ts'
import { countBackups } from '#backup/backup-folder.ts'
import { describeFailure } from '#backup/describe-failure.ts'
import { backupState } from '#backup/state.ts'
import { openArchives } from '#providers/archives/open-archives.ts'
import { SearchUnavailable } from '#providers/passage-index/port.ts'
import type { Deps } from '../../deps.ts'
import { countUnindexed, readDiskStatus, readIndexStatus } from '../documents/indexing/index-status.ts'
import { readAuditStream } from './audit-stream-part.ts'
import {
  bytesFact,
  countFact,
  createFailureFacts,
  formatCount,
  formatServer,
  type PartReading,
  removeCredentials,
  textFact,
  timeFact,
  unreadable,
} from './facts.ts'
import { isMailFailing, readMailState } from './mail-state.ts'
import { readEmbeddings, readModel, readReranking } from './model-parts.ts'
import { readDatabase } from './store.ts'
import { readWebhooks } from './webhooks-part.ts'

/** The message index always lags slightly; up to this many messages are normal. */
const normalBacklog = 200

async function readMail(deps: Deps): Promise<PartReading> {
  const mailState = await readMailState(deps)
  const { lastSentAt, verifiedAt, lastFailure } = mailState
  const { pending, failed } = await deps.jobs.countByName('mail.send')
  const { source, value: server } = deps.connections.current.mail
  const facts = [
    textFact('Emails go to', server ? formatServer(server) : 'the outbox folder'),
    timeFact('Last sent', lastSentAt),
    countFact('Waiting', pending),
    countFact('Failed', failed),
    ...createFailureFacts(lastFailure),
  ]
  if (server === null)
    return {
      state: source === 'unreadable' ? 'failing' : 'attention',
      words: `${source === 'unreadable' ? unreadable : 'No mail server is configured.'} Emails are written to the outbox folder and are not delivered.`,
      facts,
    }
  if (isMailFailing(mailState))
    return {
      state: 'failing',
      words: 'The mail server did not accept the last email or connection. Emails wait until it does.',
      facts,
      ...(lastFailure && { failedAt: new Date(lastFailure.at).toISOString() }),
    }
  if (failed > 0)
    return {
      state: 'attention',
      words: `${formatCount(failed, 'email', 'emails')} could not be delivered.`,
      facts,
    }
  if (lastSentAt === null && verifiedAt === null)
    return {
      state: 'untested',
      words: 'A mail server is set up, but no email has been sent through it yet.',
      facts,
    }
  return { state: 'ok', words: 'Emails are being sent.', facts }
}

/** Null with the reason if the index cannot be reached. */
async function readReachableIndex(deps: Deps) {
  try {
    return { index: await readIndexStatus(deps), fault: '' }
  } catch (error) {
    if (error instanceof SearchUnavailable) return { index: null, fault: error.message }
    throw error
  }
}

async function readSearch(deps: Deps): Promise<PartReading> {
  const { index, fault } = await readReachableIndex(deps)
  if (index === null)
    return {
      state: 'failing',
      words: `Questions about documents are refused. ${removeCredentials(fault)}`,
      facts: [textFact('Engine', deps.passageIndex.engine)],
    }
  const { passages, indexed, answering } = index
  const { changes, isBuilding } = await deps.messageSearch.getBacklog()
  const facts = [
    textFact('Engine', deps.passageIndex.engine),
    countFact('Passages', passages),
    countFact('Documents in the index', indexed),
    countFact('Documents used for answers', answering),
    countFact('Messages still to be indexed', changes),
  ]
  const missing = answering - indexed
  if (missing > 0) {
    const documents = formatCount(missing, 'document is', 'documents are')
    return {
      state: 'attention',
      words: `${documents} missing from the index. Indexing is in progress.`,
      facts,
    }
  }
  const failed = await countUnindexed(deps, attentionMaximum)
  if (failed > 0)
    return {
      state: 'attention',
      words: `${formatCount(failed, 'document', 'documents')} could not be indexed.`,
      facts,
      remedy: 'mend-documents',
    }
  if (isBuilding || changes > normalBacklog)
    return { state: 'attention', words: 'The message index is being updated.', facts }
  return { state: 'ok', words: 'The indexes are up to date.', facts }
}

async function readStorage(deps: Deps): Promise<PartReading> {
  const { files, free, minimumFree, isFull } = await readDiskStatus(deps)
  const { bytes } = await readDatabase(deps.db)
  const facts = [
    bytesFact('Database', bytes),
    bytesFact('Documents', files),
    bytesFact('Free disk space', free),
    bytesFact('Uploads are rejected below', minimumFree),
  ]
  if (isFull)
    return {
      state: 'failing',
      words: 'The disk is full. New messages and uploads are rejected. Delete documents to make room.',
      facts,
    }
  if (free < minimumFree)
    return { state: 'failing', words: 'Uploads are rejected because the disk is nearly full.', facts }
  if (free < 2 * minimumFree) return { state: 'attention', words: 'Disk space is running low.', facts }
  return { state: 'ok', words: 'There is enough disk space.', facts }
}

async function canShareReplies({ clusterLinks }: Deps): Promise<boolean> {
  return (
    clusterLinks === null ||
    clusterLinks.check().then(
      () => true,
      () => false,
    )
  )
}

async function readDatabasePart(deps: Deps): Promise<PartReading> {
  const { kind, version, latestMigration, pending } = await readDatabase(deps.db)
  const facts = [textFact('Kind', `${kind} ${version}`), textFact('Schema', latestMigration)]
  if (pending > 0)
    return { state: 'attention', words: 'The schema is not up to date. Restart the server.', facts }
  if (!(await canShareReplies(deps))) {
    const reason = deps.env.REDIS_URL === undefined ? '' : ', because Redis does not work'
    return {
      state: 'attention',
      words: `Running replies cannot be shared with the other servers${reason}. If this server ends now, up to a second of their text is lost.`,
      facts,
    }
  }
  return { state: 'ok', words: 'The database is working, and its schema is up to date.', facts }
}

/** Less than half of the time that a part may take. */
const archivesAnswerMs = 800

/** The number of backups in `BACKUP_DIR`, or why they cannot be listed. */
async function readStoredBackups({ env }: Deps): Promise<{ count: number | null; fault: string | null }> {
  try {
    const archives = await openArchives(getArchivesLocation(env), { answerMs: archivesAnswerMs })
    return { count: await countBackups(archives), fault: null }
  } catch (error) {
    return { count: null, fault: describeFailure(error) }
  }
}

async function readBackups(deps: Deps): Promise<PartReading> {
  const { count, fault } = await readStoredBackups(deps)
  const { lastSuccess, lastFailure, every, folder, nextAt, isFailing } = await backupState(deps)
  const facts = [
    timeFact('Last backup', lastSuccess?.at ?? null),
    bytesFact('Size', lastSuccess?.bytes ?? null),
    timeFact('Next backup', nextAt),
    countFact('Stored backups', count),
    textFact('Folder', folder),
    ...createFailureFacts(lastFailure),
  ]
  if (isFailing) {
    const isOld = lastFailure === null || lastFailure.at < (lastSuccess?.at ?? 0)
    const words = isOld ? 'The last backup is too old.' : 'The last backup failed.'
    return { state: 'failing', words, facts }
  }
  if (fault !== null) return { state: 'failing', words: removeCredentials(fault), facts }
  if (every === null)
    return {
      state: deps.env.DATABASE_URL === undefined ? 'attention' : 'off',
      words: 'No backups are scheduled.',
      facts,
    }
  return lastSuccess === null
    ? { state: 'ok', words: 'The first backup has not run yet.', facts }
    : { state: 'ok', words: 'Scheduled backups are running.', facts }
}

/** Reads the state of each part without testing it. */
export const partReaders: Record<StatusPart, (deps: Deps) => Promise<PartReading>> = {
  mail: readMail,
  model: readModel,
  embeddings: readEmbeddings,
  reranking: readReranking,
  search: readSearch,
  storage: readStorage,
  database: readDatabasePart,
  backups: readBackups,
  'audit-stream': readAuditStream,
  webhooks: readWebhooks,
}
