import type { Document } from '@lyceum/contract/documents'
import type { Tx } from '#db/client.ts'
import { forgetRemovedFiles } from '#files/store.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { audit } from '../../audit/append.ts'
import { requireLockedChannel } from '../../channels/access.ts'
import { emitDocumentEvent } from '../../webhooks/emit.ts'
import { requireDocument } from '../access.ts'
import { getDocument } from '../documents.ts'
import { requireNoDuplicate } from '../upload/upload.ts'
import {
  changeDocument,
  changeVersion,
  lockNewestVersion,
  type VersionDetails,
} from '../versions/version-store.ts'

/** The client offers it for ten seconds. The rest is for slow networks and for rejections of many documents. */
const undoWindowMs = 2 * 60_000

/** Locks the document. Fails unless its newest version was rejected by the caller, a short time ago. */
async function lockOwnRejection(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  id: string,
  number: number | undefined,
): Promise<VersionDetails> {
  const version = await lockNewestVersion(tx, id)
  if (!version) throw notFound()
  if (version.status !== 'rejected' || (number ?? version.number) !== version.number)
    throw new AppError('document.not_rejected')
  if (version.reviewer_id !== actor.userId) throw new AppError('document.rejected_by_other')
  if (deps.now() - (version.reviewed_at ?? 0) > undoWindowMs) throw new AppError('document.undo_expired')
  return version
}

/**
 * Makes the rejected version pending again, as if it had not been reviewed. A proposal may exceed the limit of pending
 * ones: the administrator corrects a mistake and is not the one whom the limit restrains.
 */
export async function undoRejection(
  deps: Deps,
  actor: Actor,
  id: string,
  number?: number,
): Promise<Document> {
  const { channel_id, title } = await requireDocument(deps.db, id)
  await deps.db.transaction().execute(async (tx) => {
    // Lock the channel first, as uploads do: both enforce the rule against duplicate content.
    await requireLockedChannel(tx, channel_id)
    const version = await lockOwnRejection(deps, tx, actor, id, number)
    const now = deps.now()
    const noReview = { reviewed_by: null, reviewed_at: null }
    const current = {
      status: 'pending' as const,
      version_id: version.id,
      original_name: version.original_name,
    }
    if (version.released_at === null) await changeDocument(tx, id, { ...current, ...noReview }, now)
    else {
      // An approved version had taken its place, and the file is still there: it is deleted a day later.
      await requireNoDuplicate(tx, channel_id, version.sha256)
      await forgetRemovedFiles(tx, [version.file_key])
      await changeDocument(tx, id, current, now)
    }
    const { rejection_reason } = version
    await changeVersion(tx, version.id, {
      status: 'pending',
      ...noReview,
      rejection_reason: null,
      released_at: null,
    })
    const document = { id, title, channel_id, number: version.number }
    await emitDocumentEvent(deps, tx, 'document.pending', document)
    await audit(deps, tx, {
      actor,
      action: 'document.rejection-undone',
      object: { type: 'document', id, name: title },
      ...(rejection_reason === null ? {} : { before: { reason: rejection_reason } }),
      after: { channelId: channel_id, version: version.number },
    })
  })
  return getDocument(deps, id)
}
