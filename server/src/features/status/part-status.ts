import { attentionMaximum } from '@lyceum/contract/overview'
import type { StatusPart } from '@lyceum/contract/status'
import { getArchivesLocation } from '#backup/archives-location.ts'
import { countBackups } from '#backup/backup-folder.ts'
import { describeFailure } from '#backup/describe-failure.ts'
import { backupState } from '#backup/state.ts'
import { openArchives } from '#providers/archives/open-archives.ts'
import { SearchUnavailable } from '#providers/passage-index/port.ts'
import { getEmbeddingConnection } from '../../connections/effective.ts'
import type { Deps } from '../../deps.ts'
import {
  getLastEmbedderFailure,
  getLastRerankerFailure,
  getModelState,
  type ModelFailure,
} from '../assistants/model-state.ts'
import {
  countUnindexed,
  readDiskStatus,
  readIndexStatus,
  readVectorStatus,
  type VectorStatus,
} from '../documents/indexing/index-status.ts'
import {
  bytesFact,
  countFact,
  formatCount,
  formatServer,
  getModelHost,
  type PartReading,
  removeCredentials,
  textFact,
  timeFact,
} from './facts.ts'
import { readMailState } from './mail-state.ts'
import { readDatabase } from './store.ts'

const minute = 60_000
/** A provider that failed longer ago than this may be working again. */
const recentPeriod = 15 * minute
/** The message index always lags slightly; up to this many messages are normal. */
const normalBacklog = 200

const unreadable =
  'The stored values cannot be decrypted with the keys of this installation. Enter them again.'

function createFailureFacts(failure: { at: number; reason: string } | null) {
  return failure === null
    ? []
    : [timeFact('Last failure', failure.at), textFact('Reason', removeCredentials(failure.reason))]
}

function createModelFailureFacts(failure: ModelFailure | null) {
  return createFailureFacts(failure && { at: failure.at, reason: `${failure.model}: ${failure.detail}` })
}

/** Of a service that is not called for a while. */
function createPauseFacts(pausedUntil: number | null) {
  return pausedUntil === null ? [] : [timeFact('Next attempt', pausedUntil)]
}

function isRecent({ now }: Deps, failure: ModelFailure | null): boolean {
  return failure !== null && failure.isOver !== true && now() - failure.at < recentPeriod
}

async function readMail(deps: Deps): Promise<PartReading> {
  const { lastSentAt, lastFailure } = await readMailState(deps)
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
  if (lastFailure !== null && lastFailure.at > (lastSentAt ?? 0))
    return { state: 'failing', words: 'The last email could not be sent.', facts }
  if (failed > 0)
    return {
      state: 'attention',
      words: `${formatCount(failed, 'email', 'emails')} could not be delivered.`,
      facts,
    }
  return { state: 'ok', words: 'Emails are being sent.', facts }
}

async function readModel(deps: Deps): Promise<PartReading> {
  const { models, hasAnswered, lastFailure } = await getModelState(deps)
  const { source, value: endpoint } = deps.connections.current.model
  if (models === null)
    return {
      state: source === 'unreadable' ? 'failing' : 'off',
      words: `${source === 'unreadable' ? unreadable : 'No model is connected.'} The built-in assistant quotes passages instead.`,
      facts: createModelFailureFacts(lastFailure),
    }
  const facts = [
    textFact('Endpoint', getModelHost(endpoint?.baseUrl)),
    ...models.map(({ label, model: actual }) => textFact(label, actual)),
    ...createModelFailureFacts(lastFailure),
  ]
  if (isRecent(deps, lastFailure))
    return { state: 'failing', words: 'The model endpoint failed recently.', facts }
  return hasAnswered
    ? { state: 'ok', words: 'A model is connected.', facts }
    : { state: 'untested', words: 'A model is connected, but has not answered yet.', facts }
}

/** While documents are embedded again after a change of the model; null otherwise. */
function describeChange({ documents, withoutVectors, earlier }: VectorStatus, model: string): string | null {
  if (earlier === null) return null
  const done = (documents - withoutVectors).toLocaleString('en')
  const meanwhile =
    earlier.model === null ? 'search goes on by keywords' : `${earlier.model} is used for search`
  return `Documents are being embedded for ${model}: ${done} of ${documents.toLocaleString('en')} done. Until then, ${meanwhile}.`
}

async function readEmbeddings(deps: Deps): Promise<PartReading> {
  const { current } = deps.connections
  const { embedder } = deps.assistant
  const lastFailure = await getLastEmbedderFailure(deps)
  if (!embedder) {
    const isUnreadable = current.embeddings.source === 'unreadable'
    return {
      state: isUnreadable ? 'failing' : 'off',
      words: `${isUnreadable ? unreadable : 'No embedding model is configured.'} Passages are found by keywords only.`,
      facts: [],
    }
  }
  const status = await readVectorStatus(deps)
  const { pausedUntil } = embedder
  const facts = [
    textFact('Endpoint', getModelHost(getEmbeddingConnection(current, deps.env)?.baseUrl)),
    textFact('Model', embedder.model),
    countFact('Documents without vectors', status.withoutVectors),
    ...createPauseFacts(pausedUntil),
    ...createModelFailureFacts(lastFailure),
  ]
  const change = describeChange(status, embedder.model)
  const failure =
    pausedUntil !== null
      ? 'The embedding service failed several times in a row.'
      : isRecent(deps, lastFailure)
        ? 'The embedding service failed recently.'
        : null
  if (failure !== null)
    return {
      state: 'failing',
      words: `${failure} ${change ?? 'Search goes on by keywords while it fails.'}`,
      facts,
    }
  if (change !== null) return { state: 'attention', words: change, facts }
  if (status.withoutVectors > 0)
    return {
      state: 'attention',
      words: `${formatCount(status.withoutVectors, 'document', 'documents')} can be found by keywords only for now. Vectors are being added.`,
      facts,
    }
  return { state: 'ok', words: 'All documents can be found by meaning.', facts }
}

async function readReranking(deps: Deps): Promise<PartReading> {
  const { source, value } = deps.connections.current.reranking
  const { reranker } = deps.assistant
  const lastFailure = await getLastRerankerFailure(deps)
  if (!reranker)
    return {
      state: source === 'unreadable' ? 'failing' : 'off',
      words: `${source === 'unreadable' ? unreadable : 'No reranker is configured.'} Passages stay in the order of the search.`,
      facts: [],
    }
  const { pausedUntil } = reranker
  const facts = [
    textFact('Endpoint', value && getModelHost(value.url)),
    textFact('Model', value?.model || null),
    ...createPauseFacts(pausedUntil),
    ...createModelFailureFacts(lastFailure),
  ]
  if (pausedUntil !== null)
    return {
      state: 'failing',
      words: 'The reranker failed several times in a row. Passages stay in the order of the search.',
      facts,
    }
  if (isRecent(deps, lastFailure))
    return {
      state: 'failing',
      words: 'The reranker failed recently. Passages stay in the order of the search while it fails.',
      facts,
    }
  return { state: 'ok', words: 'A reranker puts the best passages first.', facts }
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
}
