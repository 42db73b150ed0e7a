import type { StatusPart } from '@lyceum/contract/status'
import { countBackups } from '#backup/backup-folder.ts'
import { backupState } from '#backup/state.ts'
import type { Deps } from '../../deps.ts'
import { getEmbedderState, getModelState, type ModelFailure } from '../assistants/model-state.ts'
import { readDiskStatus, readIndexStatus } from '../documents/indexing/index-status.ts'
import {
  bytesFact,
  countFact,
  hostOf,
  type PartReading,
  plural,
  textFact,
  timeFact,
  withoutCredentials,
} from './facts.ts'
import { readMailState } from './mail-state.ts'
import { readDatabase } from './store.ts'

const minute = 60_000
/** A provider that failed longer ago than this may be working again. */
const recently = 15 * minute
/** The message index always lags slightly; up to this many messages are normal. */
const fewMessages = 200

function failureFacts(failure: { at: number; reason: string } | null) {
  return failure === null
    ? []
    : [timeFact('Last failure', failure.at), textFact('Reason', withoutCredentials(failure.reason))]
}

function modelFailure(failure: ModelFailure | null) {
  return failureFacts(failure && { at: failure.at, reason: `${failure.model}: ${failure.detail}` })
}

async function readMail(deps: Deps): Promise<PartReading> {
  const { lastSentAt, lastFailure } = await readMailState(deps)
  const { pending, failed } = await deps.jobs.countByName('mail.send')
  const url = deps.env.SMTP_URL
  const facts = [
    textFact('Letters go to', url === undefined ? 'the outbox folder' : hostOf(url)),
    timeFact('Last sent', lastSentAt),
    countFact('Waiting', pending),
    countFact('Given up', failed),
    ...failureFacts(lastFailure),
  ]
  if (url === undefined)
    return {
      state: 'attention',
      words: 'No mail server is set up: letters are files in the outbox folder and reach nobody.',
      facts,
    }
  if (lastFailure !== null && lastFailure.at > (lastSentAt ?? 0))
    return { state: 'failing', words: 'The last letter could not be sent.', facts }
  if (failed > 0)
    return { state: 'attention', words: `${plural(failed, 'letter was', 'letters were')} given up.`, facts }
  return { state: 'ok', words: 'Letters are sent.', facts }
}

async function readModel(deps: Deps): Promise<PartReading> {
  const { answers, lastFailure } = await getModelState(deps)
  if (answers === null)
    return {
      state: 'off',
      words: 'No language model is configured: the built-in assistant quotes passages instead.',
      facts: modelFailure(lastFailure),
    }
  const facts = [
    textFact('Endpoint', hostOf(deps.env.OPENAI_BASE_URL ?? 'https://api.openai.com')),
    ...answers.map(({ label, model: actual }) => textFact(label, actual)),
    ...modelFailure(lastFailure),
  ]
  if (lastFailure !== null && deps.now() - lastFailure.at < recently)
    return { state: 'failing', words: 'The model endpoint failed a moment ago.', facts }
  return { state: 'ok', words: 'Models answer for all labels.', facts }
}

async function readEmbeddings(deps: Deps): Promise<PartReading> {
  const { model: name, lastFailure } = await getEmbedderState(deps)
  if (name === null)
    return { state: 'off', words: 'No embeddings are configured: passages are found by words.', facts: [] }
  const { withoutVectors } = await readIndexStatus(deps)
  const facts = [
    textFact('Model', name),
    countFact('Documents without vectors', withoutVectors),
    ...modelFailure(lastFailure),
  ]
  if (lastFailure !== null && deps.now() - lastFailure.at < recently)
    return { state: 'failing', words: 'The embedding service failed a moment ago.', facts }
  if (withoutVectors > 0) {
    const some = plural(withoutVectors, 'document is', 'documents are')
    return { state: 'attention', words: `${some} found by words only until reindexed.`, facts }
  }
  return { state: 'ok', words: 'Every document is found by meaning too.', facts }
}

async function readSearch(deps: Deps): Promise<PartReading> {
  const { passages, indexed, answering } = await readIndexStatus(deps)
  const { changes, isBuilding } = await deps.messageSearch.backlog()
  const facts = [
    countFact('Passages', passages),
    countFact('Documents in the index', indexed),
    countFact('Documents that answer', answering),
    countFact('Messages still to be indexed', changes),
  ]
  const missing = answering - indexed
  if (missing > 0) {
    const some = plural(missing, 'document is', 'documents are')
    return { state: 'attention', words: `${some} missing from the index, which is being completed.`, facts }
  }
  if (isBuilding || changes > fewMessages)
    return { state: 'attention', words: 'The index of messages is being brought up to date.', facts }
  return { state: 'ok', words: 'Everything that is kept can be found.', facts }
}

async function readStorage(deps: Deps): Promise<PartReading> {
  const { files, free, reserve } = await readDiskStatus(deps)
  const { bytes } = await readDatabase(deps.db)
  const facts = [
    bytesFact('Database', bytes),
    bytesFact('Documents', files),
    bytesFact('Free on the disk', free),
    bytesFact('Uploads are refused below', reserve),
  ]
  if (free < reserve)
    return { state: 'failing', words: 'Uploads are refused: the disk is nearly full.', facts }
  if (free < 2 * reserve)
    return { state: 'attention', words: 'There is little room left on the disk.', facts }
  return { state: 'ok', words: 'There is room on the disk.', facts }
}

async function readDatabasePart(deps: Deps): Promise<PartReading> {
  const { kind, version, step, pending } = await readDatabase(deps.db)
  const facts = [textFact('Kind', `${kind} ${version}`), textFact('Schema', step)]
  return pending === 0
    ? { state: 'ok', words: 'The database answers, and its schema is up to date.', facts }
    : { state: 'attention', words: 'The schema is not up to date: please restart the server.', facts }
}

async function readBackups(deps: Deps): Promise<PartReading> {
  const { lastSuccess, lastFailure, every, folder, nextAt, isFailing } = await backupState(deps)
  const facts = [
    timeFact('Last made', lastSuccess?.at ?? null),
    bytesFact('Its size', lastSuccess?.bytes ?? null),
    timeFact('Next', nextAt),
    countFact('Kept', await countBackups(folder)),
    textFact('Folder', folder),
    ...failureFacts(lastFailure),
  ]
  if (isFailing) {
    const isOld = lastFailure === null || lastFailure.at < (lastSuccess?.at ?? 0)
    const words = isOld ? 'The last backup is too old.' : 'The last backup failed.'
    return { state: 'failing', words, facts }
  }
  if (every === null)
    return {
      state: deps.env.DATABASE_URL === undefined ? 'attention' : 'off',
      words: 'No backups are made by schedule.',
      facts,
    }
  return lastSuccess === null
    ? { state: 'ok', words: 'The first backup is still to come.', facts }
    : { state: 'ok', words: 'Backups are made by schedule.', facts }
}

/** Reads the state of each part without testing it. */
export const partReaders: Record<StatusPart, (deps: Deps) => Promise<PartReading>> = {
  mail: readMail,
  model: readModel,
  embeddings: readEmbeddings,
  search: readSearch,
  storage: readStorage,
  database: readDatabasePart,
  backups: readBackups,
}
