import type {
  ConnectionPart,
  Connections,
  EmbeddingsConnectionInput,
  MailConnectionInput,
  ModelConnectionInput,
  RerankingConnectionInput,
} from '@lyceum/contract/connections'
import type { Tx } from '#db/client.ts'
import { lockSettings } from '#db/settings.ts'
import type { Actor } from '../../actor.ts'
import { requireReachableHost } from '../../connections/reachable-host.ts'
import {
  announceConnections,
  readStored,
  removeStored,
  type StoredConnection,
  type StoredEmbeddings,
  type StoredMail,
  type StoredModel,
  type StoredReading,
  type StoredReranking,
  storedEmbeddings,
  storedMail,
  storedModel,
  storedReranking,
  writeStored,
} from '../../connections/stored.ts'
import type { Deps } from '../../deps.ts'
import { checkAssistants } from '../assistants/jobs.ts'
import { forgetMissingAssistants } from '../assistants/missing-assistants.ts'
import { forgetModelEvents } from '../assistants/model-events.ts'
import { readModelMap, setDefaultModel } from '../assistants/model-map.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { followEmbedder } from '../documents/indexing/embed-documents.ts'
import { forgetMailState } from '../status/mail-state.ts'
import { mergeEmbeddings, mergeMail, mergeModel, mergeReranking } from './merge.ts'
import { presentConnections } from './present.ts'

/** The fields for the audit log, without secrets. */
function describe<V>(reading: StoredReading<V>, describeValue: (value: V) => Record<string, unknown>) {
  return reading.state === 'stored' ? describeValue(reading.value) : { state: reading.state }
}

function describeModel({ baseUrl, embeddingModel, apiKey }: StoredModel) {
  return { baseUrl, embeddingModel, hasApiKey: apiKey !== '' }
}

function describeEmbeddings({ apiKey, ...rest }: StoredEmbeddings) {
  return { ...rest, hasApiKey: apiKey !== '' }
}

function describeReranking({ apiKey, ...rest }: StoredReranking) {
  return { ...rest, hasApiKey: apiKey !== '' }
}

/** A user name can be a secret, as some mail services use their token for both. */
function describeMail({ host, port, encryption, from, username }: StoredMail) {
  return { host, port, encryption, from, hasLogin: username !== '' }
}

interface Change {
  part: ConnectionPart
  before: Record<string, unknown>
  after: Record<string, unknown>
  /** A secret was replaced, which `before` and `after` do not show. */
  isSecretChanged: boolean
}

async function auditChange(deps: Deps, tx: Tx, actor: Actor, change: Change): Promise<void> {
  const { part, before, after, isSecretChanged } = change
  const changes = findChanges(before, after)
  if (!changes && !isSecretChanged) return
  await audit(deps, tx, {
    actor,
    action: 'settings.changed',
    before: { connection: part, ...changes?.before },
    after: { connection: part, ...changes?.after, ...(isSecretChanged ? { isSecretChanged } : {}) },
  })
}

/** Runs a change, and applies it on this server before the caller gets the reply. The others follow within moments. */
async function changeConnections(deps: Deps, change: (tx: Tx) => Promise<void>): Promise<Connections> {
  await deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    // Before the jobs that the change adds.
    await announceConnections(tx)
    await change(tx)
  })
  await deps.connections.reload()
  await followEmbedder(deps)
  return presentConnections(deps)
}

interface Replacement<V> {
  part: ConnectionPart
  connection: StoredConnection<V>
  /** Throws if the values are not accepted. */
  merge: (previous: StoredReading<V>) => V
  describeValue: (value: V) => Record<string, unknown>
  getSecret: (value: V) => string
  /** Of fields that are stored elsewhere: before and after. */
  more?: (tx: Tx) => Promise<[before: Record<string, unknown>, after: Record<string, unknown>]>
  forget: (tx: Tx) => Promise<void>
}

async function replaceStored<V>(
  deps: Deps,
  actor: Actor,
  tx: Tx,
  replacement: Replacement<V>,
): Promise<void> {
  const { part, connection, merge, describeValue, getSecret, more, forget } = replacement
  const previous = await readStored(tx, deps.secrets, connection)
  const value = merge(previous)
  await writeStored(tx, deps.secrets, connection, value, deps.now())
  const [moreBefore, moreAfter] = (await more?.(tx)) ?? [{}, {}]
  await forget(tx)
  await auditChange(deps, tx, actor, {
    part,
    before: { ...describe(previous, describeValue), ...(previous.state === 'stored' ? moreBefore : {}) },
    after: { ...describeValue(value), ...moreAfter },
    isSecretChanged: previous.state === 'stored' && getSecret(previous.value) !== getSecret(value),
  })
}

/** Forgets what the events of an earlier model endpoint said. */
async function forgetModel(deps: Deps, tx: Tx): Promise<void> {
  await forgetModelEvents(deps, tx, ['chat', 'embeddings'])
  await forgetMissingAssistants(tx)
}

export async function setModel(deps: Deps, actor: Actor, input: ModelConnectionInput): Promise<Connections> {
  const { env, secrets } = deps
  // Only to refuse early: the transaction merges again.
  const { baseUrl } = mergeModel(env, await readStored(deps.db, secrets, storedModel), input)
  if (baseUrl !== '') await requireReachableHost(new URL(baseUrl).hostname, 'baseUrl')
  return changeConnections(deps, (tx) =>
    replaceStored(deps, actor, tx, {
      part: 'model',
      connection: storedModel,
      merge: (previous) => mergeModel(env, previous, input),
      describeValue: describeModel,
      getSecret: ({ apiKey }) => apiKey,
      async more() {
        const model = (await readModelMap({ db: tx }))['*'] ?? ''
        if (input.model !== model) await setDefaultModel(deps, tx, input.model)
        return [{ model }, { model: input.model }]
      },
      async forget() {
        await forgetModel(deps, tx)
        await deps.jobs.add(tx, checkAssistants, {})
      },
    }),
  )
}

export async function setEmbeddings(
  deps: Deps,
  actor: Actor,
  input: EmbeddingsConnectionInput,
): Promise<Connections> {
  const { env, secrets } = deps
  const { baseUrl } = mergeEmbeddings(env, await readStored(deps.db, secrets, storedEmbeddings), input)
  await requireReachableHost(new URL(baseUrl).hostname, 'baseUrl')
  return changeConnections(deps, (tx) =>
    replaceStored(deps, actor, tx, {
      part: 'embeddings',
      connection: storedEmbeddings,
      merge: (previous) => mergeEmbeddings(env, previous, input),
      describeValue: describeEmbeddings,
      getSecret: ({ apiKey }) => apiKey,
      forget: () => forgetModelEvents(deps, tx, ['embeddings']),
    }),
  )
}

export async function setReranking(
  deps: Deps,
  actor: Actor,
  input: RerankingConnectionInput,
): Promise<Connections> {
  const { env, secrets } = deps
  const { url } = mergeReranking(env, await readStored(deps.db, secrets, storedReranking), input)
  await requireReachableHost(new URL(url).hostname, 'url')
  return changeConnections(deps, (tx) =>
    replaceStored(deps, actor, tx, {
      part: 'reranking',
      connection: storedReranking,
      merge: (previous) => mergeReranking(env, previous, input),
      describeValue: describeReranking,
      getSecret: ({ apiKey }) => apiKey,
      forget: () => forgetModelEvents(deps, tx, ['reranking']),
    }),
  )
}

export async function setMail(deps: Deps, actor: Actor, input: MailConnectionInput): Promise<Connections> {
  const { env, secrets } = deps
  const { host } = mergeMail(env, await readStored(deps.db, secrets, storedMail), input)
  await requireReachableHost(host, 'host')
  return changeConnections(deps, (tx) =>
    replaceStored(deps, actor, tx, {
      part: 'mail',
      connection: storedMail,
      merge: (previous) => mergeMail(env, previous, input),
      describeValue: describeMail,
      getSecret: ({ username, password }) => JSON.stringify([username, password]),
      forget: () => forgetMailState(tx),
    }),
  )
}

/** Returns the fields of what was removed; null if nothing was stored. */
async function removePart<V>(
  deps: Deps,
  tx: Tx,
  { connection, describeValue, forget }: Pick<Replacement<V>, 'connection' | 'describeValue' | 'forget'>,
): Promise<Record<string, unknown> | null> {
  const before = describe(await readStored(tx, deps.secrets, connection), describeValue)
  if (!(await removeStored(tx, connection))) return null
  await forget(tx)
  return before
}

const removals: Record<ConnectionPart, (deps: Deps, tx: Tx) => ReturnType<typeof removePart>> = {
  model: (deps, tx) =>
    removePart(deps, tx, {
      connection: storedModel,
      describeValue: describeModel,
      forget: () => forgetModel(deps, tx),
    }),
  embeddings: (deps, tx) =>
    removePart(deps, tx, {
      connection: storedEmbeddings,
      describeValue: describeEmbeddings,
      forget: () => forgetModelEvents(deps, tx, ['embeddings']),
    }),
  reranking: (deps, tx) =>
    removePart(deps, tx, {
      connection: storedReranking,
      describeValue: describeReranking,
      forget: () => forgetModelEvents(deps, tx, ['reranking']),
    }),
  mail: (deps, tx) =>
    removePart(deps, tx, {
      connection: storedMail,
      describeValue: describeMail,
      forget: () => forgetMailState(tx),
    }),
}

/** Removes what is stored, if anything. Values of the environment stay in effect. */
export function removeConnection(deps: Deps, actor: Actor, part: ConnectionPart): Promise<Connections> {
  return changeConnections(deps, async (tx) => {
    const before = await removals[part](deps, tx)
    if (!before) return
    await audit(deps, tx, {
      actor,
      action: 'settings.changed',
      before: { connection: part, ...before },
      after: { connection: part, state: 'none' },
    })
  })
}
