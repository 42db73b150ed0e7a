import type { Document } from '@lyceum/contract/documents'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { scheduleFileDeletion } from '#files/store.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { audit } from '../../audit/append.ts'
import { emitDocumentEvent } from '../../webhooks/emit.ts'
import { requireDocument } from '../access.ts'
import { getDocument } from '../documents.ts'
import { indexDocument } from '../indexing/index-document.ts'
import {
  type DocumentDetails,
  type DocumentRow,
  lockApprovedVersion,
  setIndexState,
  touchDocument,
  type VersionRow,
} from '../store.ts'
import {
  changeDocument,
  changeVersion,
  findVersionById,
  lockUnchangedDocument,
  type VersionDetails,
} from '../versions/version-store.ts'
import { createOutdatedViewError } from './outdated-view-error.ts'

/** A build that is unfinished after this time was lost and may be requested again. */
const buildTimeoutMs = 30 * 60_000

async function queueBuild(
  deps: Deps,
  tx: Parameters<Deps['jobs']['add']>[0],
  documentId: string,
  versionId: string,
): Promise<void> {
  await setIndexState(tx, versionId, {
    index_state: 'waiting',
    index_percent: 0,
    index_attempts: 0,
    index_reason: null,
  })
  await deps.jobs.add(tx, indexDocument, { documentId, versionId, generation: uuidv7() })
}

/** Of two concurrent decisions, only the first succeeds. The other fails with an error that names who decided first. */
async function decideOnce(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  seen: DocumentDetails,
  decision: Pick<VersionRow, 'status' | 'rejection_reason'>,
): Promise<Pick<DocumentRow, 'approved_version_id'>> {
  const document = await lockUnchangedDocument(tx, seen.id, seen)
  if (!document) throw await createOutdatedViewError(tx, seen.id, seen)
  const review = { reviewed_by: actor.userId, reviewed_at: deps.now() }
  await changeVersion(tx, seen.version_id, { ...decision, ...review })
  return document
}

/** Requires a pending document. If a number is given, it must be that of the current version. */
async function requirePending(deps: Deps, id: string, number: number | undefined): Promise<DocumentDetails> {
  const document = await requireDocument(deps.db, id)
  if (document.status === 'pending' && (number ?? document.number) === document.number) return document
  throw await createOutdatedViewError(deps.db, id, { number })
}

function auditDecision(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  seen: Pick<DocumentDetails, 'id' | 'title' | 'channel_id' | 'number'>,
  action: 'document.approved' | 'document.rejected' | 'document.reindexed',
  details: { reason?: string } = {},
): Promise<void> {
  return audit(deps, tx, {
    actor,
    action,
    object: { type: 'document', id: seen.id, name: seen.title },
    after: { channelId: seen.channel_id, version: seen.number, ...details },
  })
}

/** Stores the approval, the approver and the indexing job in one transaction. */
export async function approveDocument(
  deps: Deps,
  actor: Actor,
  id: string,
  version?: number,
): Promise<Document> {
  const seen = await requirePending(deps, id, version)
  await deps.db.transaction().execute(async (tx) => {
    await decideOnce(deps, tx, actor, seen, { status: 'approved', rejection_reason: null })
    const now = deps.now()
    const review = { status: 'approved' as const, reviewed_by: actor.userId, reviewed_at: now }
    await changeDocument(tx, id, { ...review, approved_version_id: seen.version_id }, now)
    await queueBuild(deps, tx, id, seen.version_id)
    await emitDocumentEvent(deps, tx, 'document.approved', seen)
    await auditDecision(deps, tx, actor, seen, 'document.approved')
    deps.faults.reach('approve.updated')
  })
  deps.faults.reach('approve.committed')
  return getDocument(deps, id)
}

async function requireApprovedVersion(tx: Tx, approvedId: string): Promise<VersionDetails> {
  const approved = await findVersionById(tx, approvedId)
  if (!approved) throw new Error('an approved version was not found')
  return approved
}

/** Makes the previously approved version current again and releases the file of the rejected one. */
async function restoreApprovedVersion(
  deps: Deps,
  tx: Tx,
  seen: DocumentDetails,
  approvedId: string,
): Promise<void> {
  const now = deps.now()
  const { original_name } = await requireApprovedVersion(tx, approvedId)
  await changeDocument(tx, seen.id, { status: 'approved', version_id: approvedId, original_name }, now)
  await changeVersion(tx, seen.version_id, { released_at: now })
  await scheduleFileDeletion(tx, [seen.file_key], now)
}

interface Rejection {
  /** The version that the caller saw. */
  version?: number | undefined
  reason?: string | undefined
}

export async function rejectDocument(
  deps: Deps,
  actor: Actor,
  id: string,
  { version, reason = '' }: Rejection = {},
): Promise<Document> {
  const seen = await requirePending(deps, id, version)
  const rejection_reason = reason === '' ? null : reason
  await deps.db.transaction().execute(async (tx) => {
    const decision = { status: 'rejected' as const, rejection_reason }
    const { approved_version_id } = await decideOnce(deps, tx, actor, seen, decision)
    const now = deps.now()
    if (approved_version_id !== null) await restoreApprovedVersion(deps, tx, seen, approved_version_id)
    else {
      const review = { status: 'rejected' as const, reviewed_by: actor.userId, reviewed_at: now }
      await changeDocument(tx, id, review, now)
    }
    await auditDecision(deps, tx, actor, seen, 'document.rejected', reason === '' ? {} : { reason })
    deps.faults.reach('reject.updated')
  })
  deps.faults.reach('reject.committed')
  return getDocument(deps, id)
}

/**
 * Builds the approved version, also while a newer one is pending. The active build stays in use until the new one is
 * complete. Requests during a build change nothing.
 */
export async function reindexDocument(deps: Deps, actor: Actor, id: string): Promise<Document> {
  await deps.db.transaction().execute(async (tx) => {
    const approved = await lockApprovedVersion(tx, id)
    const document = await requireDocument(tx, id)
    if (!approved) throw new AppError('document.not_approved')
    const { versionId, updatedAt } = approved
    const version = await requireApprovedVersion(tx, versionId)
    const isFinished = version.index_state === 'ready' || version.index_state === 'failed'
    const now = deps.now()
    if (!isFinished && now - updatedAt < buildTimeoutMs) return
    await touchDocument(tx, id, now)
    await queueBuild(deps, tx, id, versionId)
    await auditDecision(deps, tx, actor, { ...document, number: version.number }, 'document.reindexed')
  })
  return getDocument(deps, id)
}
