import {
  type AuditReceiver,
  type AuditStream,
  type ReceiverInput,
  receiverMaximum,
  type StartPoint,
} from '@lyceum/contract/audit-stream'
import type { PartTestResult } from '@lyceum/contract/status'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { lockSettings } from '#db/settings.ts'
import type { Secrets } from '#keys/secrets.ts'
import { DeliveryFailed } from '#providers/outgoing/delivery-failure.ts'
import type { Actor } from '../../../actor.ts'
import { requireReachableHost } from '../../../connections/reachable-host.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { audit, auditAlone } from '../append.ts'
import { findChanges } from '../changes.ts'
import { type AuditRow, findLastSeq, genesisHash, lockAuditLog } from '../store.ts'
import { deliver } from './deliver.ts'
import {
  describeConfig,
  getHost,
  getServer,
  mergeConfig,
  type ReceiverConfig,
  sealConfig,
  unsealConfig,
} from './receiver-config.ts'
import {
  countAfter,
  deleteReceiver,
  findReceiverRow,
  insertReceiver,
  listReceiverRows,
  type ReceiverRow,
  updateReceiver,
} from './receiver-store.ts'

/** Counting stops here. */
const behindMaximum = 10_001
const noFailure = { failing_since: null, last_error: null, failures: 0, retry_at: 0 }

function toIso(time: number): string {
  return new Date(time).toISOString()
}

async function presentReceiver(deps: Deps, row: ReceiverRow): Promise<AuditReceiver> {
  const { id, name, sealed, sent_seq, sent_at, failing_since, last_error, retry_at } = row
  const delivery = {
    _id: id,
    name,
    behind: await countAfter(deps.db, sent_seq, behindMaximum),
    sentAt: sent_at === null ? null : toIso(sent_at),
    failure:
      failing_since === null
        ? null
        : { words: last_error ?? '', since: toIso(failing_since), retryAt: toIso(retry_at) },
  }
  const config = unsealConfig(deps.secrets, sealed)
  if (config === null) return { ...delivery, kind: 'unreadable' }
  if (config.kind === 'syslog') {
    const { clientKey, ...rest } = config
    return { ...delivery, ...rest, hasClientKey: clientKey !== '' }
  }
  const { headerValue, ...rest } = config
  return { ...delivery, ...rest, hasHeaderValue: headerValue !== '' }
}

export async function presentStream(deps: Deps): Promise<AuditStream> {
  const rows = await listReceiverRows(deps.db)
  return { receivers: await Promise.all(rows.map((row) => presentReceiver(deps, row))) }
}

/** Runs a change while nobody else changes settings. */
async function change(deps: Deps, run: (tx: Tx) => Promise<void>): Promise<AuditStream> {
  await deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    await run(tx)
  })
  return presentStream(deps)
}

async function requireReceiver(db: Deps['db'] | Tx, id: string): Promise<ReceiverRow> {
  const row = await findReceiverRow(db, id)
  if (!row) throw notFound()
  return row
}

function requireReachable(config: ReceiverConfig): Promise<void> {
  return requireReachableHost(getHost(config), config.kind === 'syslog' ? 'host' : 'url')
}

/** The entry about the new receiver is the first that it gets, unless it starts at the beginning of the log. */
export async function addReceiver(
  deps: Deps,
  actor: Actor,
  input: ReceiverInput,
  startsAt: StartPoint,
): Promise<AuditStream> {
  const config = mergeConfig(input, null)
  await requireReachable(config)
  return change(deps, async (tx) => {
    if ((await listReceiverRows(tx)).length >= receiverMaximum) throw new AppError('audit.receiver_limit')
    const id = uuidv7()
    await lockAuditLog(tx)
    await insertReceiver(tx, {
      id,
      name: input.name,
      sealed: sealConfig(deps.secrets, config),
      sent_seq: startsAt === 'now' ? await findLastSeq(tx) : 0,
      created_at: deps.now(),
    })
    await audit(deps, tx, {
      actor,
      action: 'settings.receiver-added',
      after: { receiverId: id, name: input.name, ...describeConfig(config), startsAt },
    })
  })
}

function getSecret(config: ReceiverConfig | null): string {
  if (config === null) return ''
  return config.kind === 'syslog' ? config.clientKey : config.headerValue
}

/** The receiver continues with the first entry that it has not got, wherever it is now. */
export async function changeReceiver(
  deps: Deps,
  actor: Actor,
  id: string,
  input: ReceiverInput,
): Promise<AuditStream> {
  const known = await requireReceiver(deps.db, id)
  await requireReachable(mergeConfig(input, unsealConfig(deps.secrets, known.sealed)))
  return change(deps, async (tx) => {
    const row = await requireReceiver(tx, id)
    const before = unsealConfig(deps.secrets, row.sealed)
    const config = mergeConfig(input, before)
    await updateReceiver(tx, id, {
      name: input.name,
      sealed: sealConfig(deps.secrets, config),
      ...noFailure,
    })
    const isSecretChanged = getSecret(config) !== getSecret(before)
    const changes = findChanges(
      { name: row.name, ...(before === null ? {} : describeConfig(before)) },
      { name: input.name, ...describeConfig(config) },
    )
    const areCertificatesChanged =
      before?.caCertificate !== config.caCertificate ||
      (before.kind === 'syslog' &&
        config.kind === 'syslog' &&
        before.clientCertificate !== config.clientCertificate)
    if (!changes && !isSecretChanged && !areCertificatesChanged) return
    await audit(deps, tx, {
      actor,
      action: 'settings.receiver-changed',
      before: { receiverId: id, ...changes?.before },
      after: {
        receiverId: id,
        name: input.name,
        ...changes?.after,
        ...(isSecretChanged ? { isSecretChanged } : {}),
        ...(areCertificatesChanged ? { areCertificatesChanged } : {}),
      },
    })
  })
}

/** The receiver does not get the entry about its removal: what waits for it is not sent any more. */
export function removeReceiver(deps: Deps, actor: Actor, id: string): Promise<AuditStream> {
  return change(deps, async (tx) => {
    const { name, sealed, sent_seq } = await requireReceiver(tx, id)
    const config = unsealConfig(deps.secrets, sealed)
    const unsent = await countAfter(tx, sent_seq, behindMaximum)
    await deleteReceiver(tx, id)
    await audit(deps, tx, {
      actor,
      action: 'settings.receiver-removed',
      before: { receiverId: id, name, ...(config === null ? {} : { server: getServer(config) }), unsent },
    })
  })
}

/** An entry that is not in the log, so that a test does not depend on what the log has. */
function createTestEntry(deps: Deps, actor: Actor): AuditRow {
  return {
    seq: 0,
    id: uuidv7(),
    at: deps.now(),
    actor_id: actor.userId,
    actor_name: actor.name,
    actor_email: actor.email,
    session_id: null,
    ip: actor.client.ip,
    user_agent: actor.client.userAgent,
    action: 'settings.tested',
    area: 'settings',
    object_type: null,
    object_id: null,
    object_name: 'Test event from Lyceum',
    result: 'ok',
    before: null,
    after: null,
    previous_hash: genesisHash,
    hash: genesisHash,
  }
}

async function tryConfig(
  deps: Deps,
  actor: Actor,
  config: ReceiverConfig,
): Promise<Omit<PartTestResult, 'milliseconds'>> {
  const server = getServer(config)
  try {
    await deliver(deps, config, [createTestEntry(deps, actor)], AbortSignal.timeout(30_000))
    return { ok: true, words: [`${server} accepted a test event.`] }
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error
    const { code } = (error.cause ?? {}) as { code?: unknown }
    return { ok: false, words: [error.message], details: typeof code === 'string' ? [code] : [] }
  }
}

/** Sends a test event to each receiver. */
export async function tryReceivers(
  deps: Deps,
  actor: Actor,
): Promise<Omit<PartTestResult, 'milliseconds'>[]> {
  const rows = await listReceiverRows(deps.db)
  return Promise.all(
    rows.map(({ name, sealed }) => {
      const config = unsealConfig(deps.secrets, sealed)
      return config === null
        ? { ok: false, words: [`The values of ${name} cannot be decrypted.`] }
        : tryConfig(deps, actor, config)
    }),
  )
}

/** Audited with the server, so that nobody can scan a network unseen. */
export async function testReceiver(
  deps: Deps,
  actor: Actor,
  { receiver, receiverId }: { receiver: ReceiverInput; receiverId?: string | undefined },
): Promise<PartTestResult> {
  const stored =
    receiverId === undefined
      ? null
      : unsealConfig(deps.secrets, (await requireReceiver(deps.db, receiverId)).sealed)
  const config = mergeConfig(receiver, stored)
  await requireReachable(config)
  const startedAt = performance.now()
  const outcome = await tryConfig(deps, actor, config)
  await auditAlone(deps, {
    actor,
    action: 'settings.tested',
    result: outcome.ok ? 'ok' : 'failed',
    after: { part: 'audit-stream', name: receiver.name, server: getServer(config) },
  })
  return { ...outcome, milliseconds: Math.round(performance.now() - startedAt) }
}

/** Re-encrypts the receivers with the current key. Returns how many it changed. */
export async function resealReceivers(tx: Tx, secrets: Secrets): Promise<number> {
  let changed = 0
  for (const { id, sealed } of await listReceiverRows(tx)) {
    const config = unsealConfig(secrets, sealed)
    if (!config) continue
    await updateReceiver(tx, id, { sealed: sealConfig(secrets, config) })
    changed += 1
  }
  return changed
}
