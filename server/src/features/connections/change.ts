import type {
  ConnectionPart,
  Connections,
  MailConnectionInput,
  ModelConnectionInput,
} from '@lyceum/contract/connections'
import type { Tx } from '#db/client.ts'
import { lockSettings } from '#db/settings.ts'
import type { Actor } from '../../actor.ts'
import {
  announceConnections,
  readStored,
  removeStored,
  type StoredMail,
  type StoredModel,
  type StoredReading,
  storedMail,
  storedModel,
  writeStored,
} from '../../connections/stored.ts'
import type { Deps } from '../../deps.ts'
import { checkAssistants } from '../assistants/jobs.ts'
import { forgetMissingAssistants } from '../assistants/missing-assistants.ts'
import { readModelMap, setDefaultModel } from '../assistants/model-map.ts'
import { forgetModelEvents } from '../assistants/model-state.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { forgetMailFailure } from '../status/mail-state.ts'
import { mergeMail, mergeModel } from './merge.ts'
import { presentConnections } from './present.ts'
import { requireReachableHost } from './reachable-host.ts'

/** Fields for the audit log. A user name can be a secret, as some mail services use their token for both. */
function describeModel(reading: StoredReading<StoredModel>, model: string): Record<string, unknown> {
  if (reading.state !== 'stored') return { state: reading.state }
  const { baseUrl, embeddingModel, apiKey } = reading.value
  return { baseUrl, embeddingModel, model, hasApiKey: apiKey !== '' }
}

function describeMail(reading: StoredReading<StoredMail>): Record<string, unknown> {
  if (reading.state !== 'stored') return { state: reading.state }
  const { host, port, encryption, from, username } = reading.value
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
  return presentConnections(deps)
}

export async function setModel(deps: Deps, actor: Actor, input: ModelConnectionInput): Promise<Connections> {
  const { env, secrets, now } = deps
  // Only to refuse early: the transaction merges again.
  const { baseUrl } = mergeModel(env, await readStored(deps.db, secrets, storedModel), input)
  if (baseUrl !== '') await requireReachableHost(new URL(baseUrl).hostname, 'baseUrl')
  return changeConnections(deps, async (tx) => {
    const previous = await readStored(tx, secrets, storedModel)
    const previousModel = (await readModelMap({ db: tx }))['*'] ?? ''
    const value = mergeModel(env, previous, input)
    await writeStored(tx, secrets, storedModel, value, now())
    if (input.model !== previousModel) await setDefaultModel(deps, tx, input.model)
    await forgetModelEvents(deps, tx)
    await forgetMissingAssistants(tx)
    await deps.jobs.add(tx, checkAssistants, {})
    await auditChange(deps, tx, actor, {
      part: 'model',
      before: describeModel(previous, previousModel),
      after: describeModel({ state: 'stored', value }, input.model),
      isSecretChanged: previous.state === 'stored' && previous.value.apiKey !== value.apiKey,
    })
  })
}

export async function setMail(deps: Deps, actor: Actor, input: MailConnectionInput): Promise<Connections> {
  const { env, secrets, now } = deps
  // Only to refuse early: the transaction merges again.
  const { host } = mergeMail(env, await readStored(deps.db, secrets, storedMail), input)
  await requireReachableHost(host, 'host')
  return changeConnections(deps, async (tx) => {
    const previous = await readStored(tx, secrets, storedMail)
    const value = mergeMail(env, previous, input)
    await writeStored(tx, secrets, storedMail, value, now())
    await forgetMailFailure(tx, now())
    await auditChange(deps, tx, actor, {
      part: 'mail',
      before: describeMail(previous),
      after: describeMail({ state: 'stored', value }),
      isSecretChanged:
        previous.state === 'stored' &&
        (previous.value.password !== value.password || previous.value.username !== value.username),
    })
  })
}

/** Removes what is stored, if anything. Values of the environment stay in effect. */
export function removeConnection(deps: Deps, actor: Actor, part: ConnectionPart): Promise<Connections> {
  const { secrets, now } = deps
  return changeConnections(deps, async (tx) => {
    const before =
      part === 'model'
        ? describeModel(await readStored(tx, secrets, storedModel), '')
        : describeMail(await readStored(tx, secrets, storedMail))
    const isRemoved =
      part === 'model' ? await removeStored(tx, storedModel) : await removeStored(tx, storedMail)
    if (!isRemoved) return
    if (part === 'model') {
      await forgetModelEvents(deps, tx)
      await forgetMissingAssistants(tx)
    } else await forgetMailFailure(tx, now())
    await audit(deps, tx, {
      actor,
      action: 'settings.changed',
      before: { connection: part, ...before },
      after: { connection: part, state: 'none' },
    })
  })
}
